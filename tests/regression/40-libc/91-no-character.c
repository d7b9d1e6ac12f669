//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: an array index out of bounds
// 1000 is no `unsigned char`, and not EOF (C11 7.4, 1); glibc reads behind its table.
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < -1 || c > 1000) return 0;
    return isalpha(c);
}
