//EXPECT: SAFE
//VACUOUS: this is what is tested
//REASON: main never ends
// The condition is never true, so `main` waits for ever.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ready;

int main(void)
{
    __VERIFIER_assume(ready == 1);
    return 0;
}
