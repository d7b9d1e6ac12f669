//EXPECT: UNKNOWN
// getchar is EOF or a character.
// (SAFE, but that needs an engine that reasons about ranges of values; the explorer says so.)
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c >= EOF && c <= 255);
}
