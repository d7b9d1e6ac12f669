//EXPECT: UNSAFE
// Two such calls are two steps.
#include <assert.h>
#include <pthread.h>

int x;

int __VERIFIER_atomic_get(void) { return x; }
void __VERIFIER_atomic_set(int n) { x = n; }

void *worker(void *arg)
{
    __VERIFIER_atomic_set(__VERIFIER_atomic_get() + 1);
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
