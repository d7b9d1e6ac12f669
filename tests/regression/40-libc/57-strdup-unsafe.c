//EXPECT: UNSAFE
// The error is reached only if both copies are right.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = strdup("abc"), *b = strndup("abc", 9);
    if (a[0] != 'a' || a[3] != 0) return 0;
    assert(b[2] != 'c' || b[3] != 0);
}
