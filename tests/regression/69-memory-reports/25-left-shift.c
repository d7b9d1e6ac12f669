//EXPECT: UNSAFE
//ARGS: --check overflow
//REASON: signed overflow: 1 << 31 does not fit `int`
// C11 6.5.7, 4: the result must be a number of the type.
int main(void)
{
    int bit = 31, one = 1;
    return one << bit;
}
