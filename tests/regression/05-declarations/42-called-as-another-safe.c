//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Types that differ where the ABI makes no difference: pointers, signs, an argument that nobody takes.
#include <assert.h>

int first(int *p) { return *p; }
unsigned sign(unsigned n) { return n; }
int one(int n) { return n; }
void nothing(void) {}

int main(void) {
    int x = 3;
    assert(((int (*)(void *))first)(&x) == 3);
    assert(((int (*)(int))sign)(-1) == -1);
    assert(((int (*)(int, int))one)(4, 5) == 4);
    ((void (*)(int))nothing)(1);
    return 0;
}
