//EXPECT: UNSAFE
// A call of `__assert_rtn` is a failed assertion.
extern void __assert_rtn(const char *, const char *, int, const char *);

int main(void)
{
    __assert_rtn("main", "f.c", 1, "x");
}
