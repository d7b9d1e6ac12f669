//EXPECT: SAFE
// A bit-field that `int` cannot hold is computed in its own width, as gcc does; one bit with a sign is 0 or -1.
#include <assert.h>

struct {
    int b : 1;
    unsigned long long f : 40;
    long long g : 35;
    _Bool t : 1;
    enum { A, B, C } e : 2;
} s;
int x = 3;

int main(void)
{
    int r = (s.b = (x == 3));
    assert(r == -1 && s.b == -1 && (long)(s.b = (x == 3)) == -1);
    s.f = 0xffffffffffULL;
    assert(s.f + 1 == 0 && s.f << 8 == 0xffffffff00ULL && ~s.f == 0 && s.f + 1ULL != 0);
    assert((s.f << 30 >> 30) == 1023);
    s.f = 1;
    assert(-s.f == 0xffffffffffULL && s.f - 2 > 0 && s.f - 2LL < 0 && sizeof(s.f + 1) == 8);
    s.f -= 2;
    assert(s.f == 0xffffffffffULL && ++s.f == 0 && s.f-- == 0);
    s.g = -1;
    assert(s.g < 0 && s.g + 1 == 0 && (s.g = -5) / 2 == -2);
    s.t = 2;
    s.e = C;
    assert(s.t == 1 && s.e == 2 && s.e > -1 && s.t - 2 < 0);
}
