//EXPECT: SAFE
//REASON: what was written as one type may be read as another
// `gcc -O2` may find 1 here: an `int` is written, and then a `short`, which is another object.
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
    assert(put(&x, &x) == 2);
}
