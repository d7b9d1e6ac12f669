//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `x`
// A variable is there when its initialiser is evaluated, and has no value.
int main(void) {
    int x = x;
    return x;
}
