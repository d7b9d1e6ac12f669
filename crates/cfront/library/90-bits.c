/* Counting and moving bits: gcc's builtin functions, and `ffs` of POSIX. */

static int __rely_ones(unsigned long long n)
{
    int count = 0;
    for (; n; n &= n - 1) count++;
    return count;
}

static int __rely_leading_zeros(unsigned long long n, int width)
{
    if (!n) __rely_unsupported("the leading zeros of 0, which are undefined");
    for (; n; n >>= 1) width--;
    return width;
}

/* The number of the lowest bit that is set, from 1 on; 0 if there is none. */
static int __rely_lowest(unsigned long long n)
{
    int place = 0;
    if (n)
        for (place = 1; !(n & 1); n >>= 1) place++;
    return place;
}

static int __rely_trailing_zeros(unsigned long long n)
{
    if (!n) __rely_unsupported("the trailing zeros of 0, which are undefined");
    return __rely_lowest(n) - 1;
}

/* How many bits below the sign are the same as the sign. */
static int __rely_sign_bits(long long n, int width)
{
    unsigned long long rest = (unsigned long long)(n < 0 ? ~n : n);
    return rest ? __rely_leading_zeros(rest, width) - 1 : width - 1;
}

int __builtin_popcount(unsigned n) { return __rely_ones(n); }
int __builtin_parity(unsigned n) { return __rely_ones(n) & 1; }
int __builtin_clz(unsigned n) { return __rely_leading_zeros(n, (int)sizeof(int) * 8); }
int __builtin_ctz(unsigned n) { return __rely_trailing_zeros(n); }
int __builtin_clrsb(int n) { return __rely_sign_bits(n, (int)sizeof(int) * 8); }
int __builtin_ffs(int n) { return __rely_lowest((unsigned)n); }
int ffs(int n) { return __rely_lowest((unsigned)n); }

int __builtin_popcountl(unsigned long n) { return __rely_ones(n); }
int __builtin_parityl(unsigned long n) { return __rely_ones(n) & 1; }
int __builtin_clzl(unsigned long n) { return __rely_leading_zeros(n, (int)sizeof(long) * 8); }
int __builtin_ctzl(unsigned long n) { return __rely_trailing_zeros(n); }
int __builtin_clrsbl(long n) { return __rely_sign_bits(n, (int)sizeof(long) * 8); }
int __builtin_ffsl(long n) { return __rely_lowest((unsigned long)n); }
int ffsl(long n) { return __rely_lowest((unsigned long)n); }

int __builtin_popcountll(unsigned long long n) { return __rely_ones(n); }
int __builtin_parityll(unsigned long long n) { return __rely_ones(n) & 1; }
int __builtin_clzll(unsigned long long n) { return __rely_leading_zeros(n, (int)sizeof(long long) * 8); }
int __builtin_ctzll(unsigned long long n) { return __rely_trailing_zeros(n); }
int __builtin_clrsbll(long long n) { return __rely_sign_bits(n, (int)sizeof(long long) * 8); }
int __builtin_ffsll(long long n) { return __rely_lowest((unsigned long long)n); }
int ffsll(long long n) { return __rely_lowest((unsigned long long)n); }

unsigned short __builtin_bswap16(unsigned short n) { return (unsigned short)(n << 8 | n >> 8); }

unsigned __builtin_bswap32(unsigned n)
{
    return n << 24 | (n & 0xff00u) << 8 | (n >> 8 & 0xff00u) | n >> 24;
}

unsigned long long __builtin_bswap64(unsigned long long n)
{
    return (unsigned long long)__builtin_bswap32((unsigned)n) << 32 | __builtin_bswap32((unsigned)(n >> 32));
}
