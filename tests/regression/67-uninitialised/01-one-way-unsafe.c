//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: undefined: UNSAFE
//REASON: a variable is read before it was written: `found`
//REASON: assertions: SAFE
//REASON: what has no value where it is used
// Where no element matches, `found` has no value.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int table[3] = {1, 2, 3}, found;
    int wanted = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        if (table[i] == wanted)
            found = i;
    }
    int again = found;
    assert(again == again);
    return 0;
}
