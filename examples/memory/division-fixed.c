//EXPECT: SAFE
//ARGS: --check undefined
//INPUTS: 0
// At least one value.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int values[3] = { 4, 5, 6 }, sum = 0, count = __VERIFIER_nondet_int();
    if (count < 1 || count > 3)
        return 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}
