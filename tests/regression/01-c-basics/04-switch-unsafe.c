//EXPECT: UNSAFE
// Somebody forgot the break.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int r = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1: r = 1;
    case 2: r = 2; break;
    }
    assert(r != 2 || r == 1);
}
