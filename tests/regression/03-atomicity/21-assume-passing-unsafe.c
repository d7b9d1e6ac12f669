//EXPECT: UNSAFE
// A condition that held for a moment may have let a thread pass.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int open, entered;

void *worker(void *arg)
{
    __VERIFIER_assume(open);
    entered = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    open = 1;
    open = 0;
    assert(!entered);
}
