//EXPECT: SAFE
//ARGS: --data-model ilp32
// On a 32-bit machine long and pointers have four bytes.
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, "", 0, ""))
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
    unsigned long u = 4294967295ul;
    assert(u + 1 == 0);
}
