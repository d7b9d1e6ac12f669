//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// One is outside.
#include <pthread.h>
int x;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    seen = x;
    pthread_join(t, 0);
    return seen;
}
