//EXPECT: SAFE
//ARGS: --check assertions,undefined
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
    from += 4;
    memcpy(&copy, from, 4);
    assert(copy == 4);
}
