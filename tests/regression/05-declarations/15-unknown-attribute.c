//EXPECT: UNKNOWN
//REASON: the attribute `frobnicate`
// Nobody knows what it does to the function that is called.
int f(void) __attribute__((frobnicate));
int f(void) { return 0; }

int main(void)
{
    return f();
}
