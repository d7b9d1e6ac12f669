//EXPECT: SAFE
// Arrays of arrays and of structures.
#include <assert.h>

int m[2][3];
struct { int a[2]; } s[2];

int main(void)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) m[i][j] = 10 * i + j;
    int (*row)[3] = &m[1];
    assert((*row)[2] == 12 && m[0][2] == 2 && sizeof m == 24 && sizeof m[0] == 12);
    s[1].a[0] = 4;
    assert(s[1].a[0] == 4 && s[0].a[1] == 0);
}
