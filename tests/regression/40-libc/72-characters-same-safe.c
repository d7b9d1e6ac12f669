//EXPECT: SAFE
// The functions for characters are functions: the same argument gives the same result.
#include <assert.h>

extern int isalpha(int), isspace(int), isupper(int), ispunct(int), isalnum(int), isxdigit(int);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = __VERIFIER_nondet_int();
    assert(isalpha(c) == isalpha(c) && isspace(c) == isspace(c) && isupper(c) == isupper(c));
    assert(ispunct(c) == ispunct(c) && isalnum(c) == isalnum(c) && isxdigit(c) == isxdigit(c));
}
