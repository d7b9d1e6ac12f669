//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: division by zero: 0 / 0
//INPUTS: 0
//SANITIZER: division by zero
// The average of no values.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int values[3] = { 4, 5, 6 }, sum = 0, count = __VERIFIER_nondet_int();
    if (count < 0 || count > 3)
        return 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}
