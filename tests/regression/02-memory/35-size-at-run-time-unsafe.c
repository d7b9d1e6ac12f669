//EXPECT: UNSAFE
// An allocation whose size the program computes is shared with the other thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
int n, *p;

void *worker(void *arg)
{
    p[n - 1] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    n = 2 + __VERIFIER_nondet_bool();
    p = calloc(n, sizeof(int));
    pthread_create(&t, 0, worker, 0);
    assert(p[2 - (n == 2)] == 0);
}
