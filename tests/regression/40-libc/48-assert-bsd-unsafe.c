//EXPECT: UNSAFE
// A call of `__assert` is a failed assertion.
extern void __assert(const char *, const char *, int);

int main(void)
{
    __assert("x", "f.c", 1);
}
