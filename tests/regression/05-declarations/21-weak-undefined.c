//EXPECT: UNKNOWN
//REASON: the weak symbol `maybe`
// Whether it is there is decided when the program is linked.
extern void maybe(void) __attribute__((weak));

int main(void)
{
    if (maybe) maybe();
}
