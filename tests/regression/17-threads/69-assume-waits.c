//EXPECT: UNSAFE
// The thread whose assumption does not hold waits for ever, and had its effect before: `main` sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

_Atomic int taken;

void take(void) { __VERIFIER_assume(atomic_exchange(&taken, 1)); }

void *first(void *unused)
{
    take();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    take();
    assert(0);
}
