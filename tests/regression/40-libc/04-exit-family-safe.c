//EXPECT: SAFE
// _Exit and quick_exit end the program.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    if (__VERIFIER_nondet_bool())
        _Exit(1);
    else
        quick_exit(2);
    assert(0);
}
