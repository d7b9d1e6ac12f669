//EXPECT: SAFE
//ARGS: --check assertions --memory-model tso
// An atomic section of the program is as under sequential consistency.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y, seen_1, seen_2;

void *first(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    seen_1 = y;
    return 0;
}

void *second(void *unused)
{
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    seen_2 = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen_1 || seen_2);
    return 0;
}
