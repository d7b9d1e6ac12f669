//EXPECT: UNSAFE
// Two pointers to the same object.
#include <assert.h>

int x;

void both(int *a, int *b)
{
    *a = 1;
    *b = 2;
    assert(*a == 1);
}

int main(void)
{
    both(&x, &x);
}
