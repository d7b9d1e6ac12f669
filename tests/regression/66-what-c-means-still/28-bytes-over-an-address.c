//EXPECT: SAFE
// All of the address is gone; then another is there.
#include <assert.h>
#include <string.h>
char buf[8];
int x;
int main(void) {
    int *p = &x, *q;
    memcpy(buf, &p, sizeof p);
    memset(buf, 0, sizeof buf);
    for (int i = 0; i < 8; i++) buf[i] = i;
    assert(buf[7] == 7);
    memcpy(buf, &p, sizeof p);
    memcpy(&q, buf, sizeof q);
    *q = 3;
    assert(x == 3);
}
