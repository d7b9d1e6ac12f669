//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// A byte is written over the first one of an address; the last one is still that of the layout.
#include <assert.h>
#include <string.h>
char buf[8];
int x;
int main(void) {
    int *p = &x;
    memcpy(buf, &p, sizeof p);
    buf[0] = 1;
    assert(buf[7] == 0);
}
