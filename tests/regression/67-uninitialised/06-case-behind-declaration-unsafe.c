//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `seen`
// The second round enters the block behind the declaration of `seen`, which is a new one.
int main(void) {
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int seen;
        case 0:
            seen = 1;
            sum += seen;
            break;
        default:
            sum += seen;
        }
    }
    return sum;
}
