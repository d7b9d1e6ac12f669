//EXPECT: UNSAFE
// A call of `__assert_fail` is a failed assertion.
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int main(void)
{
    __assert_fail("x", "f.c", 1, "main");
}
