//EXPECT: UNKNOWN
//REASON: an array index out of bounds
// Whether the assertion holds depends on what is read out of bounds: neither answer would be right.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int table[4] = { 1, 2, 3, 4 };

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    int found = table[i & 7];
    assert(found <= 4);
    return 0;
}
