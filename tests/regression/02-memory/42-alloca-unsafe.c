//EXPECT: UNSAFE
// The error is reached only if the two pieces are different and keep what was written.
#include <alloca.h>
#include <assert.h>

int main(void)
{
    int *p = alloca(sizeof(int)), *q = __builtin_alloca(sizeof(int));
    *p = 1;
    *q = 2;
    assert(*p + *q != 3);
}
