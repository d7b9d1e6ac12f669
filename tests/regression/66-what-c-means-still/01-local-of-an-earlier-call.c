//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// The pointer was kept from the first call; that the local of the second one lies there is nothing that C promises.
#include <assert.h>
int *p;
void f(int first) {
    int x = 0;
    if (first) {
        p = &x;
        return;
    }
    *p = 7;
    assert(x == 7);
}
int main(void) {
    f(1);
    f(0);
}
