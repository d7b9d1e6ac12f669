//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// A compound literal lives as long as the block around it: here the body of the loop, though it has no braces.
#include <assert.h>
int *p, *q;
void use(int *new) {
    if (q) {
        *p = 7;
        assert(*new == 7);
    }
    p = q = new;
}
int main(void) {
    for (int i = 0; i < 2; i++) use((int[]){i});
}
