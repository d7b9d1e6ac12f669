//EXPECT: SAFE
//ARGS: --check assertions,undefined
// A definition with names for parameters: arguments are promoted, and converted in the function.
#include <assert.h>

int byte(c) char c; { return c; }
int sum(a, b) int a; long b; { return a + (int)b; }
int declared(long);
int declared(n) long n; { return n == -1; }

int main(void) {
    assert(byte(300) == 44);
    assert(sum(1, 2L) == 3);
    assert(declared(-1));
    return 0;
}
