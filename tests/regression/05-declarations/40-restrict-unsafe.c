//EXPECT: UNSAFE
// What `restrict` promises does not change what is right.
#include <assert.h>

static void add(int *restrict to, const int *restrict from)
{
    *to += *from;
    *to += *from;
}

int main(void)
{
    int a = 1, b = 2;
    add(&a, &b);
    assert(a == 4);
}
