//EXPECT: SAFE
// Recursion, also mutual; each call has its own locals.
#include <assert.h>

int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int depth(int n)
{
    int mine = n;
    if (n > 0) depth(n - 1);
    return mine;
}

int main(void)
{
    assert(fact(5) == 120 && even(4) && odd(3) && depth(3) == 3);
}
