// expect: 1151 model: Lp64 signed: wraps
// Found by seed 2: the value of an assignment was read again, or computed again, after
// the assignment had changed what its index, pointer or right side speaks of.
struct s {
    int b : 8;
};
unsigned long long f_0(void)
{
    signed char a[2] = { 0 };
    int x = 4, y = 0, *p = &x;
    struct s r = { 3 };
    unsigned long long digest = 0;
    if (a[(unsigned short)a[0]] = 1)
        digest += 1000;
    digest += 10 * (*p = x + 1) + 100 * (y = (y == 0));
    digest += (r.b = 2 - r.b) + (y ? 2 : 0);
    return digest;
}
