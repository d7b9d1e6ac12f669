//EXPECT: UNKNOWN
//REASON: not supported: a call of `printf` by its address
// What is printed is known only where the function is called by its name.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int (*print)(const char *, ...) = printf;
    assert(print("hello") == 4);
}
