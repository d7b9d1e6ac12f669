//EXPECT: UNKNOWN
//REASON: a comparison with the address of an object whose lifetime has ended
// Whether the second call has its local where the first had it is up to the compiler.
#include <assert.h>
int *p;
void f(int first) {
    int x = 0;
    if (first) {
        p = &x;
        return;
    }
    assert(p == &x);
}
int main(void) {
    f(1);
    f(0);
}
