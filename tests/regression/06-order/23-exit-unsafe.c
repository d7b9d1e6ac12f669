//EXPECT: UNSAFE
// The operand that does not end the program may be first.
#include <assert.h>

#include <stdlib.h>

int leave(void)
{
    exit(0);
}

int check(void)
{
    assert(0);
    return 1;
}

int main(void)
{
    leave() + check();
}
