//EXPECT: UNSAFE
// A section may end at several places; what follows is outside.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;

void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    if (x == 0) {
        y = 1;
        __VERIFIER_atomic_end();
        x = 1;
        return 0;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int a = y, b = x;
    assert(!(a == 1 && b == 0));
}
