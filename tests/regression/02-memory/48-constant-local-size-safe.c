//EXPECT: SAFE
// A variable that is only initialised is a constant: there is no bound on such a size.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    const unsigned char wrapped = 300;
    int n = 100 + wrapped;
    int *p = calloc(n, sizeof(int));
    int a[n];
    p[143] = 1;
    a[143] = 2;
    assert(n == 144 && p[143] + a[143] == 3 && p[100] == 0);
}
