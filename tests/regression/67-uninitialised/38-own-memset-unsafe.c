//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: point.y
// A function of the program's own that is called `memset` need not write what the library's does.
struct point { int x, y; };

void *memset(void *to, int byte, unsigned long size) {
    ((struct point *)to)->x = byte;
    return to;
}

int main(void) {
    struct point point;
    memset(&point, 0, sizeof point);
    return point.x + point.y;
}
