//EXPECT: UNSAFE
//ARGS: --check overflow
//REASON: signed overflow: 2147483647 + 1 does not fit `int`
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return n + 1 > n;
}
