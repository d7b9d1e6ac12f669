//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a local is read that has no value yet
// A local of a loop's body has no value in the next round.
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        sum += x;
    }
    return sum;
}
