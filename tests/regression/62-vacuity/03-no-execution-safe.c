//EXPECT: SAFE
//VACUOUS: this is what is tested
//REASON: Of 1 assertions, 0 can be reached.
// No execution satisfies the assumption.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x = 1;

int main(void)
{
    __VERIFIER_assume(x > 3);
    assert(x == 0);
}
