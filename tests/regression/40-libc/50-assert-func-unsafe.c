//EXPECT: UNSAFE
// A call of `__assert_func` is a failed assertion.
extern void __assert_func(const char *, int, const char *, const char *);

int main(void)
{
    __assert_func("f.c", 1, "main", "x");
}
