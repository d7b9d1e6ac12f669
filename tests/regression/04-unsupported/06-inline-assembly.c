//EXPECT: UNKNOWN
//REASON: not supported
// Inline assembly is not supported.
int x;

int main(void)
{
    __asm__ volatile("movl $1, %0" : "=m"(x));
    return x;
}
