//EXPECT: SAFE
// __VERIFIER_assume and assume_abort_if_not restrict the values.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void assume_abort_if_not(int);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 4);
    assume_abort_if_not(y > 2 && y < 5);
    assert(x * y <= 12 && x + y >= 4);
}
