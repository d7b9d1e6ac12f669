//EXPECT: SAFE
// getchar is EOF or a character.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c >= EOF && c <= 255);
}
