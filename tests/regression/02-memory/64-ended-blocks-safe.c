//EXPECT: SAFE
// Pointers to locals of blocks, all used in time, also when the blocks are left by jumps.
#include <assert.h>

int main(void)
{
    int *p;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        p = &x;
        sum += *p;
        if (i == 1) continue;
        if (i == 2) break;
    }
again:
    {
        int y = 1;
        p = &y;
        sum += *p;
        if (sum < 6) goto again;
    }
    p = &sum;
    assert(*p == 6);
}
