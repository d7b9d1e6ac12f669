//EXPECT: SAFE
//ARGS: --check memory
extern int __VERIFIER_nondet_int(void);
int table[4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 4)
        return 0;
    return table[i];
}
