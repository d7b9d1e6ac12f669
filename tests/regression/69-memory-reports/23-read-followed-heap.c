//EXPECT: SAFE
//REASON: a read outside the bounds of an object, should it happen, gives some value
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    unsigned char *bytes = malloc(4);
    int found = bytes[i & 7];
    assert(found <= 255);
    free(bytes);
    return 0;
}
