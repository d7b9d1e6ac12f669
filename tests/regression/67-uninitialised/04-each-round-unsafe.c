//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `last`
// Each round of the loop has a `last` of its own: the one of the round before is gone.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int last;
        if (i == 0)
            last = 1;
        sum += last;
    }
    return sum;
}
