//EXPECT: UNSAFE
//ARGS: --check assertions,overflow
//REASON: assertions: UNSAFE
//REASON: overflow: UNSAFE
// The assertion fails in one execution, the sum overflows in another: each question has its own answer.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    int next = x + 1;
    return next > x;
}
