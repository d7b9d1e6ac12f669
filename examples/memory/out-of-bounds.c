//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: index 10, but `counts` has 10 elements
//INPUTS: 10
//SANITIZER: index 10 out of bounds
// A histogram of grades from 0 to 10 has eleven bars.
extern int __VERIFIER_nondet_int(void);

static int counts[10];

static void count(int grade)
{
    if (grade < 0 || grade > 10)
        return;
    counts[grade]++;
}

int main(void)
{
    count(__VERIFIER_nondet_int());
    return 0;
}
