//EXPECT: UNKNOWN
//ARGS: --check memory
//REASON: undefined behaviour may happen: division by zero
// Only memory is asked for. What happens after a division by zero is not known.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int numbers[2] = {1, 2}, d = __VERIFIER_nondet_int();
    return numbers[1 / d > 0];
}
