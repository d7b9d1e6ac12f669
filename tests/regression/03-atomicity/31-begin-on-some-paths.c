//EXPECT: UNKNOWN
//REASON: an atomic section that begins or ends on some paths only
// Whether the rest is one section depends on the path: not modelled.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

int main(void)
{
    if (__VERIFIER_nondet_int())
        __VERIFIER_atomic_begin();
    assert(x == 0);
}
