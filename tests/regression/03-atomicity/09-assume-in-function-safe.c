//EXPECT: SAFE
// An assumption inside such a function makes the whole step wait.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int locked, x;

void __VERIFIER_atomic_acquire(void)
{
    __VERIFIER_assume(locked == 0);
    locked = 1;
}

void *worker(void *arg)
{
    __VERIFIER_atomic_acquire();
    x = x + 1;
    locked = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
}
