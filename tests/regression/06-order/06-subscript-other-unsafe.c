//EXPECT: UNSAFE
// gcc reads `count` before the call.
#include <assert.h>

int table[2];
int count;

int make(void)
{
    count++;
    return 7;
}

int main(void)
{
    table[count] = make();
    assert(table[1] == 7);
}
