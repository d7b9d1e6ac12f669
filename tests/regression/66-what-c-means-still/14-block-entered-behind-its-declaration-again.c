//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// The twin of 13: the second round has another `y`.
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int y;
        case 0:
            p = &y;
            break;
        case 1:
            y = 1;
            *p = 2;
        }
    }
}
