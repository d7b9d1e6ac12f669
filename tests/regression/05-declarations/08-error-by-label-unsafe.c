//EXPECT: UNSAFE
// The function that is called is `reach_error`, whatever C calls it.
void fail(void) asm("reach_error");

int main(void)
{
    fail();
}
