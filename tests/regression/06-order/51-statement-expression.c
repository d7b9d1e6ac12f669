//EXPECT: UNKNOWN
//ARGS: --check assertions,undefined
//REASON: the order of evaluation around a statement expression
// C has no order for `++count` and for what a statement expression beside it reads of `count` itself (as with an expression in
// parentheses: undefined, C11 6.5, 2). The macro `atomic_store` is such an expression.
#include <stdatomic.h>

_Atomic int seen;

int main(void) {
    int count = 0;
    return ++count - (atomic_store(&seen, count), 0);
}
