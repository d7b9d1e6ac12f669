//EXPECT: SAFE
//REASON: All 2 assertions can be reached.
// Both assertions are reached, and hold.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x = 1;

void *look(void *unused)
{
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    assert(x == 1);
}
