//EXPECT: UNSAFE
// A call of `__assert_perror_fail` is a failed assertion.
extern void __assert_perror_fail(int, const char *, unsigned, const char *);

int main(void)
{
    __assert_perror_fail(5, "f.c", 1, "main");
}
