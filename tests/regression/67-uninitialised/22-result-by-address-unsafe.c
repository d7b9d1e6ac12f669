//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `number`
// Who calls `parse` does not look at what it returns.
extern int __VERIFIER_nondet_int(void);

static int parse(int *result) {
    int digit = __VERIFIER_nondet_int();
    if (digit < 0 || digit > 9)
        return -1;
    *result = digit;
    return 0;
}

int main(void) {
    int number;
    parse(&number);
    return number > 4;
}
