//EXPECT: UNKNOWN
//REASON: undefined
// A shift by the width of the type is undefined.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 32) return 0;
    unsigned u = 1u << n;
    return u == 4;
}
