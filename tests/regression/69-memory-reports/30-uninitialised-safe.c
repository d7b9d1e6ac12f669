//EXPECT: SAFE
//ARGS: --check undefined
// Each of these has a value when it is read: on all ways, in each round, at each depth; or it is no scalar, or its address is taken.
extern int __VERIFIER_nondet_int(void);
int f(int c) { int x; switch (c) { case 0: x = 1; break; case 1: x = 2; break; default: x = 0; } return x; }
int g(int c) { int x, i; for (i = 0; i < 3; i++) { int y; if (c) y = i; else y = 2; x = y; } return x; }
int h(void) { int a[3]; int s; a[0] = 1; s = a[0]; { int t; t = s; s += t; } return s; }
int k(int c) { int x; if (c) x = 1; if (c) return x; return 0; }
int rec(int n) { int r; if (n == 0) r = 0; else r = rec(n - 1) + 1; return r; }
int p(void) { int x, *q = &x; *q = 3; return x; }
struct s { int a, b; }; int q(void) { struct s s; s.a = 1; struct s t = s; return t.a; }
int main(void) { int c = __VERIFIER_nondet_int(); int r; r = f(c) + g(c) + h() + k(c) + rec(2) + p() + q(); (void)r; return 0; }
