//EXPECT: SAFE
// How much is printed follows from the format and the arguments.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[8] = "seven77";
    assert(printf("%s|%d\n", text, -10) == 12);
    assert(printf("ab\0cd") == 2); // A zero ends the format.
    assert(printf("%5d%-3c%.2s%x%%", 7, 'x', text, 255u) == 13);
    assert(fprintf(stdout, "%*d%.*s", 4, 1, 3, "hello") == 7);
    assert(printf("%+d% d%#x%#o%04lld%hhu", 1, 1, 16u, 8u, 12ll, 257) == 16);
}
