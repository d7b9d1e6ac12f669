//EXPECT: UNKNOWN
//REASON: an initialiser that is overridden and may have effects
// The same where nothing but zeros is left.
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair in; };
int calls;
int count(void) { return ++calls; }

int main(void)
{
    struct outer o = {.in = {count()}, .in = {}};
    assert(calls == 0);
    return o.in.a;
}
