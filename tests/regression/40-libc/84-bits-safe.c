//EXPECT: SAFE
// What gcc's builtin functions count and move.
#include <assert.h>
#include <strings.h>

int ffsl(long), ffsll(long long);

int main(void)
{
    assert(__builtin_popcount(0xf0u) == 4 && __builtin_popcountl(0) == 0 && __builtin_popcountll(~0ull) == 64);
    assert(__builtin_parity(7u) == 1 && __builtin_parityl(3) == 0 && __builtin_parityll(1ull << 40) == 1);
    assert(__builtin_clz(1u) == 31 && __builtin_clzl(1) == 8 * sizeof(long) - 1 && __builtin_clzll(1ull << 63) == 0);
    assert(__builtin_ctz(8u) == 3 && __builtin_ctzl(1) == 0 && __builtin_ctzll(1ull << 63) == 63);
    assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(-128) == 24);
    assert(__builtin_clrsbl(1) == 8 * sizeof(long) - 2 && __builtin_clrsbll(0x7fffffffffffffffll) == 0);
    assert(__builtin_ffs(0) == 0 && __builtin_ffsl(6) == 2 && __builtin_ffsll(1ll << 62) == 63);
    assert(ffs(-2147483647 - 1) == 32 && ffsl(1) == 1 && ffsll(0) == 0);
    assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678) == 0x78563412);
    assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
}
