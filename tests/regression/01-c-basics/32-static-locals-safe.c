//EXPECT: SAFE
// A static local keeps its value.
#include <assert.h>

int next(void)
{
    static int n = 5;
    return n++;
}

int main(void)
{
    assert(next() == 5);
    assert(next() == 6);
}
