//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: division by zero: 10 / 0
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int parts = __VERIFIER_nondet_int(), total = 10;
    return total / parts;
}
