//EXPECT: UNKNOWN
//REASON: undefined
// A division by zero is undefined.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return 10 / n;
}
