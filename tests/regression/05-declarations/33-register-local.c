//EXPECT: UNKNOWN
//REASON: an `asm` label
// A call may change the register in which the variable is.
int f(int a) { return a; }
int main(void)
{
    register int local asm("eax") = 1;
    return f(2) + local;
}
