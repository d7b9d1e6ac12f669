//EXPECT: SAFE
//ARGS: --check assertions,undefined
// `found` is read only where it was written, which the text alone does not show.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int table[3] = {1, 2, 3}, found, has_found = 0;
    int wanted = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        if (table[i] == wanted) {
            found = i;
            has_found = 1;
        }
    }
    if (has_found)
        assert(found == wanted - 1);
    return 0;
}
