//EXPECT: UNSAFE
//ARGS: -m32 --check assertions,undefined
// `long` has 32 bits, and `int64_t` 64 all the same, whichever headers are installed.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    int64_t wide = INT64_C(1) << 40;
    assert(LONG_MAX == INT_MAX && UINTPTR_MAX == UINT_MAX);
    assert((long)wide == wide);
}
