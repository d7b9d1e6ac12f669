//EXPECT: UNKNOWN
//REASON: a byte of an address, used as a number
// Which of two addresses has the smaller byte first depends on the layout.
#include <assert.h>
#include <string.h>

int x, y;
int *p = &x, *q = &y;

int main(void)
{
    assert(memcmp(&p, &q, sizeof p) < 0);
}
