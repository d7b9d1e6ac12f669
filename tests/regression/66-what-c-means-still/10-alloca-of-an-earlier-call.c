//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// What `alloca` gives is gone with the call.
#include <alloca.h>
#include <assert.h>
int *p;
void f(int first) {
    int *x = alloca(sizeof *x);
    *x = 0;
    if (first) {
        p = x;
        return;
    }
    *p = 7;
    assert(*x == 7);
}
int main(void) {
    for (int i = 0; i < 2; i++) f(i == 0);
}
