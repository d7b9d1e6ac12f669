//EXPECT: UNSAFE
// Two variables that do not start together differ after any number of iterations.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = 1, i = 0;
    while (i < n) {
        i++;
        x++;
    }
    assert(x == i);
}
