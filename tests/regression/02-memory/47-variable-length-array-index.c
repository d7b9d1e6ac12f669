//EXPECT: UNKNOWN
//REASON: outside the bounds of an object
// An index that is too large.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int n = 2 + __VERIFIER_nondet_bool();
    int a[n];
    a[2] = 1;
}
