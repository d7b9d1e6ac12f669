//EXPECT: UNKNOWN
//REASON: an array index out of bounds
// An index before the array.
extern int __VERIFIER_nondet_int(void);
int t[3];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 3) t[i] = 1;
}
