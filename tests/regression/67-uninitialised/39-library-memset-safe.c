//EXPECT: SAFE
//ARGS: --check undefined
// The library's `memset` writes all of it.
#include <string.h>

struct point { int x, y; };

int main(void) {
    struct point point;
    memset(&point, 0, sizeof point);
    return point.x + point.y;
}
