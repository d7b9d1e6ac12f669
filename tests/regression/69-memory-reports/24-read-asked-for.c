//EXPECT: UNSAFE
//ARGS: --check assertions,memory
//REASON: assertions: SAFE
//REASON: memory: UNSAFE
// Who asks for memory errors is told of the read.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int table[4] = { 1, 2, 3, 4 };

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    int found = table[i & 7] & 3;
    assert(found >= 0 && found <= 3);
    return 0;
}
