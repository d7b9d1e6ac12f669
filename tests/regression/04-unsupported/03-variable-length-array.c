//EXPECT: UNKNOWN
//REASON: not supported
// Arrays of variable length are not supported.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4) return 0;
    int a[n];
    a[0] = 1;
    return a[0];
}
