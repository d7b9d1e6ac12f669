//EXPECT: UNSAFE
// Writing one member changes the other.
#include <assert.h>

union { int a; int b; } v;

int main(void)
{
    v.a = 1;
    v.b = 2;
    assert(v.a == 1);
}
