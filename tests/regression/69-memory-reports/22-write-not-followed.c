//EXPECT: UNKNOWN
//REASON: an array index out of bounds
// A write out of bounds may change anything: it is not followed.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int table[4], other;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    table[i & 7] = 1;
    assert(other == 0);
    return 0;
}
