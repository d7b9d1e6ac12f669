//EXPECT: UNSAFE
//REASON: u.c[7] == 0
// The bytes that the smaller member leaves have unspecified values (C11 6.2.6.1, 7).
#include <assert.h>
union {
    int *p;
    int i;
    unsigned char c[8];
} u;
int x;
int main(void) {
    u.p = &x;
    u.i = 5;
    assert(u.c[7] == 0);
}
