//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// The twin of 15: the jump leaves the block.
int main(void) {
    int *p = 0, i = 0;
again: {
    int x = 0;
    if (i == 0) {
        p = &x;
        i = 1;
        goto again;
    }
    *p = 7;
}
}
