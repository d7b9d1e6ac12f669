//EXPECT: UNKNOWN
//ARGS: --missing havoc
//REASON: a call of `die`, whose body is not known
// Who does not return does not return any value.
#include <assert.h>

_Noreturn void die(void);
int measure(int what);

int main(void) {
    if (measure(1))
        die();
    assert(1);
    return 0;
}
