//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an array index out of bounds: index 4, but `table` has 4 elements
extern int __VERIFIER_nondet_int(void);
int table[4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    return table[i];
}
