//EXPECT: UNKNOWN
//REASON: an allocation of more than
// How large it can get is not known: the bound of the model is reported.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char *p = malloc(__VERIFIER_nondet_uint());
    free(p);
}
