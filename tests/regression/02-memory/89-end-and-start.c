//EXPECT: UNKNOWN
//REASON: right behind another
// Whether `b` lies right behind `a` is open (C11 6.5.9, 6).
#include <assert.h>

int a[2], b[2];

int main(void) {
    int *end = a + 2;
    assert(end != b);
    return 0;
}
