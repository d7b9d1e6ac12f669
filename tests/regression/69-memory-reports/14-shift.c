//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a shift by a negative or too large amount: 1 << 32, but `int` has 32 bits
int main(void)
{
    int bits = 8 * sizeof(int);
    return (1 << bits) - 1;
}
