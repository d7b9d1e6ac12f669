//EXPECT: SAFE
// Each activation has its own memory; it is there until the function returns.
#include <alloca.h>
#include <assert.h>

int sum(int n)
{
    int *p = alloca(n * sizeof(int));
    char *q = __builtin_alloca(1);
    *q = 9;
    for (int i = 0; i < n; i++) p[i] = i;
    if (n == 2) return p[1];
    return p[n - 1] + sum(n - 1);
}

int main(void)
{
    for (int i = 0; i < 2; i++) assert(sum(4) == 6);
}
