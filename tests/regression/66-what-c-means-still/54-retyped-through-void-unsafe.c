//EXPECT: UNSAFE
#include <assert.h>

int put(int *a, void *any)
{
    short *b = any;
    *a = 1;
    *b = 2;
    return *a;
}

int main(void)
{
    int x;
    assert(put(&x, &x) == 1);
}
