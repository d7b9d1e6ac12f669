//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a local is read that has no value yet
// On one of two ways the local gets no value.
extern int __VERIFIER_nondet_int(void);

int chosen(int c)
{
    int x;
    if (c)
        x = 1;
    return x;
}

int main(void)
{
    return chosen(__VERIFIER_nondet_int());
}
