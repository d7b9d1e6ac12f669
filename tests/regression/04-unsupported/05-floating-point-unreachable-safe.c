//EXPECT: SAFE
// A function with floating-point numbers that is not called.
#include <assert.h>
#include <math.h>

int x;

double half(double x) { return x / 2; }

int main(void)
{
    if (x == 1) return half(1.0) > 0.25;
    assert(x == 0);
}
