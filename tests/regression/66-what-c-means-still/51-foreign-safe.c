//EXPECT: SAFE
//REASON: variables that no file defines hold any value where the program begins
// A linker wants the definition; who checks a part of a program may not have it.
#include <assert.h>
extern int level;

int main(void)
{
    level = 7;
    assert(level == 7);
    return 0;
}
