//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: an access outside the bounds of an object: 4 bytes at offset 5
#include <assert.h>
#include <string.h>

struct parts {
    char a, b;
    short c;
    int d;
} parts = {1, 2, 3, 4};

int main(void)
{
    char *from = (char *)&parts;
    int copy;
    from += 5;
    memcpy(&copy, from, 4);
}
