//EXPECT: SAFE
// A function named __VERIFIER_atomic_... is a single step.
#include <assert.h>
#include <pthread.h>

int x;

void __VERIFIER_atomic_add(int n)
{
    x = x + n;
}

void *worker(void *arg)
{
    __VERIFIER_atomic_add(1);
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
