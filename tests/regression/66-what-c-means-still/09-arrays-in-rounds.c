//EXPECT: SAFE
// Used in its own round, an array of variable length is one like any other.
#include <assert.h>
int sum(int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
int main(void) {
    for (int n = 1; n < 4; n++) {
        int a[n];
        for (int i = 0; i < n; i++) a[i] = n;
        if (n == 2) continue;
        assert(sum(a, n) == n * n);
    }
}
