// expect: 15 model: Lp64 signed: wraps
// Found by seed 4: a byte of a member, in a record that has bytes elsewhere, was called undefined.
struct s {
    unsigned long a[3];
    union {
        unsigned char b[8];
        int c;
    };
    signed char d : 1;
    unsigned long long e[2];
};
unsigned long long f_0(void)
{
    struct s r = (struct s){ { 0x0f0e, 0, 0 }, { { 1, 2, 3, 4, 5, 6, 7, 8 } }, 0, { 1, 2 } };
    return ((unsigned char *)&r.a[0])[r.e[0]];
}
