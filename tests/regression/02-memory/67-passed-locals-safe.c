//EXPECT: SAFE
// Locals are alive as long as what is called with their addresses runs.
#include <assert.h>

static void swap(int *a, int *b)
{
    int t = *a, **indirect = &a;
    **indirect = *b;
    *b = t;
}

static int *larger(int *a, int *b) { return *a < *b ? b : a; }

int main(void)
{
    int x = 1, y = 2;
    swap(&x, &y);
    int *l = larger(&x, &y);
    assert(x == 2 && y == 1 && *l == 2);
}
