//EXPECT: UNKNOWN
//ARGS: --data-model ilp32
//REASON: outside the bounds of an object
// However often it is moved, a pointer into one object never points into another one.
#include <assert.h>
#include <stdlib.h>

char *block[2];

int main(void)
{
    for (int i = 0; i < 2; i++) {
        block[i] = malloc(4);
        block[i][0] = i;
    }
    char *p = block[0];
    while (p != block[1])
        p += 8192;
    assert(*p == 1);
}
