//EXPECT: UNSAFE
// What a function returns is an object while the expression is evaluated: its address is not null.
#include <assert.h>

struct box { int a[2]; };
static struct box make(void) { struct box b = {{3, 4}}; return b; }

int main(void)
{
    if (make().a) assert(make().a[0] == 4);
}
