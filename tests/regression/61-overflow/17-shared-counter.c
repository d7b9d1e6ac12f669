//EXPECT: UNKNOWN
//REASON: signed overflow at
// Overflow in a thread is undefined behaviour of the whole program.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <pthread.h>

int x = INT_MAX - 1;

void *count(void *unused)
{
    x = x + 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    x = x + 1;
    pthread_join(t, 0);
    assert(x > 0);
}
