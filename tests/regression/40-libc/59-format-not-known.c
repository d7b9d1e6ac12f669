//EXPECT: UNKNOWN
//REASON: a format that is not known
// A format that the program computes may contain `%n`.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    char format[3] = "%n";
    printf(format, &count);
    assert(count == 0);
}
