//EXPECT: SAFE
// The size of an array parameter is computed when the function is called, with its effects.
#include <assert.h>

void f(int a, int b[a++], int c[][a++])
{
    assert(a == 3);
}

int main(void)
{
    int e[10];
    f(1, e, (void *)e);
}
