//EXPECT: SAFE
//ARGS: --check leaks
// What belongs to a function is gone by itself.
extern unsigned __VERIFIER_nondet_uint(void);

static int sum(unsigned count)
{
    int all = 0, values[count];
    for (unsigned i = 0; i < count; i++)
        values[i] = 1;
    for (unsigned i = 0; i < count; i++)
        all += values[i];
    return all;
}

int main(void)
{
    unsigned count = __VERIFIER_nondet_uint();
    return count == 2 ? sum(count) : 0;
}
