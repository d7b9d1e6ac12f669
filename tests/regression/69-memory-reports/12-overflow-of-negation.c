//EXPECT: UNSAFE
//ARGS: --check overflow
//REASON: signed overflow: -(-9223372036854775808) does not fit `long`
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    return n < 0 ? -n > 0 : 0;
}
