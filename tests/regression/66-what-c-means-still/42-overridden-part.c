//EXPECT: UNKNOWN
//REASON: an initialiser for a part of a record that an expression initialises
// To gcc, `o.in.a` is zero; to clang, it is 5.
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair in; };

int main(void)
{
    struct pair p = {5, 6};
    struct outer o = {.in = p, .in.b = 9};
    assert(o.in.a == 0);
    return 0;
}
