// expect: 5217 model: Lp64 signed: wraps
// Found by seed 1: a static bit-field whose storage unit other members share. Its first
// use was a model limit, all later ones read zero.
struct s {
    unsigned a : 19;
    union {
        unsigned char b[8];
        unsigned short c;
    };
    long long d : 50;
};
struct s x = { 500, { { 1, 2, 3, 4, 5, 6, 7, 8 } }, 17 };
static int never(void)
{
    return x.a;
}
unsigned long long f_0(void)
{
    if (x.b[1] == 9)
        return never();
    return x.a * 10 + x.b[7] * 25 + x.d;
}
