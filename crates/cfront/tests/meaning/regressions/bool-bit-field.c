// expect: 139 model: Lp64 signed: wraps
// Found by seed 1: a `_Bool` bit-field that is not the lowest bit of its storage unit.
struct s {
    signed char a : 7;
    _Bool b : 1;
};
unsigned long long f_0(void)
{
    struct s x = { 5, 1 };
    unsigned long long digest = x.b;
    x.a = 3;
    digest = digest * 2 + x.b;
    x.b = 0;
    digest = digest * 2 + x.b;
    x.b += 2;
    digest = digest * 2 + x.b;
    return digest * 10 + x.a * 3;
}
