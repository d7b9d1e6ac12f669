//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Neither the size of a variable, nor `(void)x`, nor a statement that is `x` alone reads it; both branches write `y`; what the right side of `&&` does not come to is not read.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x, y, z, has_z = __VERIFIER_nondet_int() > 0;
    (void)x;
    x;
    assert(sizeof x == 4);
    if (has_z) {
        y = 1;
        z = 2;
    } else {
        y = 2;
    }
    assert(y > 0 && (!has_z || z == 2));
    return 0;
}
