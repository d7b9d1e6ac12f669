//EXPECT: SAFE
// A pointer without `const` may point to what is `const`, if it only reads; and one with `const` to
// what is not.
#include <assert.h>

struct pair { int a, b; };
static struct pair make(int n) { struct pair p = {n, n + 1}; return p; }

int main(void)
{
    const struct pair fixed = make(3);
    struct pair other = {0, 0};
    int *p = (int *)&fixed.b;
    const int *q = &other.a;
    *(int *)q = *p;
    assert(other.a == 4);
}
