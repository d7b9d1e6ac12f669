//EXPECT: SAFE
// The sides of an assignment are evaluated in any order (C11, 6.5.16, paragraph 3).
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
    assert(table[0] + table[1] == 7);
    assert(count == 1);
}
