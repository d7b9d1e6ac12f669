//EXPECT: UNSAFE
//ARGS: --missing havoc
//REASON: first == measure(1)
// Two calls may return two values.
#include <assert.h>

int measure(int what);

int main(void) {
    int first = measure(1);
    assert(first == measure(1));
    return 0;
}
