//EXPECT: SAFE
//VACUOUS: abort ends the program
// Each of them ends the whole program: what stands behind is not reached.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);

int x;

void end(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 0: _exit(0);
    case 1: _Exit(0);
    case 2: quick_exit(0);
    case 3: exit(0);
    default: abort();
    }
}

int main(void)
{
    end();
    assert(x);
}
