//EXPECT: SAFE
//ARGS: --check undefined
// Each way writes the member that is read.
#include <stdlib.h>

struct account {
    int id, count;
};

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct account *account = malloc(sizeof *account);
    if (__VERIFIER_nondet_int())
        account->count = 1;
    else
        account->count = 2;
    int has_some = account->count > 0;
    free(account);
    return has_some;
}
