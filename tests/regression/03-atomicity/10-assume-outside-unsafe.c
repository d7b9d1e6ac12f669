//EXPECT: UNSAFE
// An assumption and an assignment that are not one step.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int locked, x;

void *worker(void *arg)
{
    __VERIFIER_assume(locked == 0);
    locked = 1;
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
