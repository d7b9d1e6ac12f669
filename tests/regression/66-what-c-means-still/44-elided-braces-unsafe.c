//EXPECT: UNSAFE
//REASON: o.in.a == 0
// What is designated without braces is not left out.
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair in; int k; };

int main(void)
{
    struct outer o = {.in = 7};
    assert(o.in.a == 0);
    return 0;
}
