//EXPECT: SAFE
// strdup and strndup copy: the original can change.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "abc";
    char *a = strdup(text), *b = strndup(text, 2);
    text[0] = 'x';
    assert(a[0] == 'a' && a[2] == 'c' && a[3] == 0 && b[1] == 'b' && b[2] == 0);
    free(a);
    free(b);
}
