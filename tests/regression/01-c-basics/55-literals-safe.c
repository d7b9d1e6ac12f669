//EXPECT: SAFE
// Literals that share no text lie apart, and a literal is the same object whenever it is reached.
#include <assert.h>

static const char *name(int which)
{
    return which ? "yes" : "no";
}

int main(void)
{
    assert(name(1) == name(1));
    assert(name(0) != name(1));
}
