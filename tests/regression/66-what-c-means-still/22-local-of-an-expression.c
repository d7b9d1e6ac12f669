//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// A statement expression is a block.
int main(void) {
    int *p = ({
        int y = 3;
        &y;
    });
    return *p;
}
