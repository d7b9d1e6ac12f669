//EXPECT: SAFE
//ARGS: --check undefined
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
    if (parse(&number) != 0)
        return 1;
    return number > 4;
}
