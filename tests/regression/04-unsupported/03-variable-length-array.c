//EXPECT: UNKNOWN
//REASON: variable-length array
// Arrays of arrays of variable length are not modelled.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int a[2][n];
    a[0][0] = 1;
}
