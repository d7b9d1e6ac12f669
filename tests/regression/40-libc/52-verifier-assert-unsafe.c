//EXPECT: UNSAFE
// assume_abort_if_not goes on if its condition holds, and __VERIFIER_assert fails if its does not.
extern void __VERIFIER_assert(int);
extern void assume_abort_if_not(int);

int x = 1;

int main(void)
{
    assume_abort_if_not(x == 1);
    __VERIFIER_assert(x == 2);
}
