//EXPECT: UNSAFE
// Between two atomic functions, left by return, others move.
#include <assert.h>
#include <pthread.h>

int x, y;

int __VERIFIER_atomic_step(int first)
{
    if (first) return ++x;
    y++;
    return 0;
}

void *worker(void *arg)
{
    __VERIFIER_atomic_step(1);
    __VERIFIER_atomic_step(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int a = x, b = y;
    assert(!(a == 0 && b == 1));
}
