//EXPECT: SAFE
// Arrays of variable length: their size is that of the declaration, each round has its own.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int sum(int n)
{
    int total = 0;
    for (int round = 0; round < 3; round++) {
        int a[n];
        assert(sizeof a == n * sizeof(int) && sizeof a[0] == sizeof(int));
        for (int i = 0; i < n; i++) a[i] = i;
        int *p = a + 1;
        total += p[n - 2];
        n++;
    }
    return total;
}

int main(void)
{
    int n = 2 + __VERIFIER_nondet_bool();
    assert(sum(n) == (n == 2 ? 6 : 9));
}
