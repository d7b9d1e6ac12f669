//EXPECT: SAFE
// What is not supported does not matter where it is not reached.
#include <assert.h>
#include <setjmp.h>

jmp_buf b;
int x;

int main(void)
{
    if (x) longjmp(b, 1);
    assert(x == 0);
}
