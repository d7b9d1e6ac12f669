//EXPECT: SAFE
//VACUOUS: abort ends the program
// What `assert` of various systems calls is an error only where it is called.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
extern void __assert_perror_fail(int, const char *, unsigned, const char *);
extern void __assert(const char *, const char *, int);
extern void _assert(const char *, const char *, unsigned);
extern void __assert_func(const char *, int, const char *, const char *);
extern void __assert_rtn(const char *, const char *, int, const char *);
extern void __VERIFIER_assert(int);
extern void assume_abort_if_not(int);

int x = 1;

int main(void)
{
    if (x != 1) __assert_fail("x", "f.c", 1, "main");
    if (x != 1) __assert_perror_fail(5, "f.c", 1, "main");
    if (x != 1) __assert("x", "f.c", 1);
    if (x != 1) _assert("x", "f.c", 1);
    if (x != 1) __assert_func("f.c", 1, "main", "x");
    if (x != 1) __assert_rtn("main", "f.c", 1, "x");
    __VERIFIER_assert(x == 1);
    assume_abort_if_not(x == 2);
    __VERIFIER_assert(0);
}
