//EXPECT: UNSAFE
// What is written by one name is read by the other.
#include <assert.h>

int x = 1;
extern int y __attribute__((alias("x")));

int main(void)
{
    y = 2;
    assert(x == 1);
}
