//EXPECT: SAFE
// C computes in `int`, and gcc wraps what is converted to a narrower type.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    signed char c = SCHAR_MAX;
    c++;
    assert(c == SCHAR_MIN);
    short s = -32768;
    s = -s;
    assert(s == -32768);
}
