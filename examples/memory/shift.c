//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: 1 << 32, but `unsigned int` has 32 bits
//INPUTS: 32
//SANITIZER: shift exponent 32 is too large
// A mask of the lowest bits; of all of them it is another matter.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned mask(unsigned bits)
{
    return (1u << bits) - 1;
}

int main(void)
{
    unsigned bits = __VERIFIER_nondet_uint();
    if (bits > 32)
        return 0;
    return mask(bits) == 0;
}
