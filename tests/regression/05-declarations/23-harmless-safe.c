//EXPECT: SAFE
// Attributes and pragmas that only warn, or say how code is made.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
#pragma STDC FP_CONTRACT ON
#include <assert.h>

static inline __attribute__((always_inline, unused)) int one(void) { return 1; }
__attribute__((noinline, noclone, cold, optimize("O0"), section(".text.x"))) int two(int a __attribute__((unused)))
{
    switch (a) {
    case 1: a++; __attribute__((fallthrough));
    default: return 2;
    }
}
int used __attribute__((used, visibility("hidden"))) = 3;
extern int strlen_like(const char *) __attribute__((pure, nonnull(1), nothrow, leaf));

int main(void)
{
    _Pragma("GCC unroll 4") for (int i = 0; i < 2; i++) {}
    assert(one() + two(1) == 3 && used == 3);
}
#pragma GCC diagnostic pop
