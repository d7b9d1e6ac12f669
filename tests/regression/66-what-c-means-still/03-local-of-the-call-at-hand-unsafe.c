//EXPECT: UNSAFE
//REASON: x != 9
// The mutant of 02: the third call with 2 makes it 9.
#include <assert.h>
int *p;
void set(void) { *p += 7; }
void f(int n) {
    int x = n;
    p = &x;
    set();
    assert(x != 9);
}
int main(void) {
    f(1);
    f(0);
    f(2);
}
