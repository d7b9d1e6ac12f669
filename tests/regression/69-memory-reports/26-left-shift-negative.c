//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: -1 << 2 does not fit `int`
// What is shifted to the left must not be negative.
int main(void)
{
    int all = -1;
    return all << 2;
}
