//EXPECT: UNKNOWN
//ARGS: --check assertions,undefined
//REASON: not supported: an access of 2 bytes to memory of another type
// `memcpy` copies bytes, whatever lies there: nothing is undefined.
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
    short both;
    memcpy(&both, from, 2);
    assert(both == 0x201);
}
