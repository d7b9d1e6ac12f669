//EXPECT: UNSAFE
// Too large for the field.
#include <assert.h>

struct { unsigned n : 2; } s;

int main(void)
{
    for (int i = 0; i < 4; i++) s.n++;
    assert(s.n == 4);
}
