//EXPECT: SAFE
// Each call leaves its own address before it is used.
#include <assert.h>
int *p;
void set(void) { *p += 7; }
void f(int n) {
    int x = n;
    p = &x;
    set();
    assert(x == n + 7);
}
int main(void) {
    f(1);
    f(0);
    for (int i = 0; i < 3; i++) f(i);
}
