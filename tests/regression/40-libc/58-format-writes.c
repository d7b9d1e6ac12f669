//EXPECT: UNKNOWN
//REASON: `%n` in a format
// `%n` writes the number of characters so far.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    printf("1234%n\n", &count);
    assert(count == 0);
}
