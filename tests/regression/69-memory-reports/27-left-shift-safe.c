//EXPECT: SAFE
//ARGS: --check undefined
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int bit = __VERIFIER_nondet_int(), one = 1;
    unsigned all = ~0u;
    if (bit < 0 || bit > 30)
        return 0;
    return (one << bit) > 0 && (all << 31) > 0;
}
