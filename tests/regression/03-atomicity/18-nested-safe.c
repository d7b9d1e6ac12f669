//EXPECT: SAFE
// The end of an inner atomic function does not end the outer one.
#include <assert.h>
#include <pthread.h>

int x, y;

void __VERIFIER_atomic_inner(void) { x++; }

void __VERIFIER_atomic_outer(void)
{
    __VERIFIER_atomic_inner();
    y++;
}

void __VERIFIER_atomic_check(void) { assert(x == y); }

void *worker(void *arg)
{
    __VERIFIER_atomic_outer();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_check();
}
