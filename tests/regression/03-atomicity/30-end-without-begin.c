//EXPECT: UNKNOWN
//REASON: the end of an atomic section that was not begun
// What this means nobody has said.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int main(void)
{
    __VERIFIER_atomic_end();
    assert(0);
}
