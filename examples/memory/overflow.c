//EXPECT: UNSAFE
//ARGS: --check overflow
//REASON: does not fit `int`
//INPUTS: 2147483000 2147483647
//SANITIZER: signed integer overflow
// The middle of two numbers, as binary searches computed it for decades.
extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high)
{
    return (low + high) / 2;
}

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    return middle(low, high) < low;
}
