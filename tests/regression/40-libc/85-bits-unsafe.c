//EXPECT: UNSAFE
//REASON: sum != 33
// One bit of each: all of these give 1 or 0, and together they give just what the assertion denies.
#include <assert.h>
#include <strings.h>

int ffsl(long), ffsll(long long);

int main(void)
{
    int sum = __builtin_popcount(1u) + __builtin_popcountl(2) + __builtin_popcountll(4);   // 3
    sum += __builtin_parity(1u) + __builtin_parityl(2) + __builtin_parityll(4);            // 6
    sum += __builtin_ctz(2u) + __builtin_ctzl(2) + __builtin_ctzll(2);                     // 9
    sum += __builtin_clz(1u << 30) + __builtin_clzl(~0ul >> 1) + __builtin_clzll(~0ull >> 1); // 12
    sum += __builtin_clrsb(1 << 29) + __builtin_clrsbl((long)(~0ul >> 2)) + __builtin_clrsbll((long long)(~0ull >> 2)); // 15
    sum += __builtin_ffs(1) + __builtin_ffsl(1) + __builtin_ffsll(1) + ffs(1) + ffsl(1) + ffsll(1); // 21
    sum += __builtin_bswap16(0x400) + (__builtin_bswap32(0x4000000) + __builtin_bswap64(0x400000000000000ull)); // 33
    assert(sum != 33);
}
