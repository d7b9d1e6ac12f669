//EXPECT: UNSAFE
// A call of `_assert` is a failed assertion.
extern void _assert(const char *, const char *, unsigned);

int main(void)
{
    _assert("x", "f.c", 1);
}
