//EXPECT: UNKNOWN
//REASON: not supported
// Floating-point numbers are not supported.
#include <assert.h>

double half(double x) { return x / 2; }

int main(void)
{
    double d = half(3.0);
    assert(d > 1.4);
}
