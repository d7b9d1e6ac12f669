//EXPECT: SAFE
//ARGS: --check assertions,undefined
// All characters, and EOF.
#include <assert.h>
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < -1 || c > 255) return 0;
    assert(!isalpha(c) || isalnum(c));
    return 0;
}
