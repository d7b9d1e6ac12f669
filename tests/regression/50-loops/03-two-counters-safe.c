//EXPECT: SAFE
// Two variables that move together are equal after any number of iterations.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = 0, i = 0;
    while (i < n) {
        i++;
        x++;
    }
    assert(x == i);
}
