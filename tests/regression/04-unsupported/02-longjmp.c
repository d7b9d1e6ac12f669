//EXPECT: UNKNOWN
//REASON: jmp
// Jumps out of functions are not supported.
#include <setjmp.h>

jmp_buf b;

int main(void)
{
    if (setjmp(b) == 0) longjmp(b, 1);
}
