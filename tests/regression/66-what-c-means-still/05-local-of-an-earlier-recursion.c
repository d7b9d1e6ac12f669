//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// The same depth of recursion, reached again.
#include <assert.h>
int *p;
void f(int depth, int first) {
    int x = 0;
    if (depth) {
        f(depth - 1, first);
        return;
    }
    if (first) {
        p = &x;
        return;
    }
    *p = 7;
    assert(x == 7);
}
int main(void) {
    f(1, 1);
    f(1, 0);
}
