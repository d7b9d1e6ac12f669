// The largest of the numbers, of which there may be none.
//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a local is read that has no value yet: `
extern int __VERIFIER_nondet_int(void);

static int largest(const int *numbers, int count)
{
    int result;
    for (int i = 0; i < count; i++)
        if (i == 0 || numbers[i] > result)
            result = numbers[i];
    return result;
}

int main(void)
{
    int numbers[3] = {4, 9, 2};
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 3)
        return 1;
    return largest(numbers, count);
}
