//EXPECT: SAFE
// Without a buffer of its own, the program sees nothing of this.
#include <assert.h>
#include <stdio.h>

int x = 1;

int main(void)
{
    setbuf(stdout, 0);
    int failed = setvbuf(stdout, 0, _IONBF, 0);
    assert(x == 1 && (failed || x));
}
