//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@13.count`
//REASON: allocated by thread main at
// `open_account` forgets a member.
#include <stdlib.h>

struct account {
    int id, count;
};

static struct account *open_account(int id) {
    struct account *account = malloc(sizeof *account);
    account->id = id;
    return account;
}

int main(void) {
    struct account *account = open_account(3);
    int has_some = account->id == 3 && account->count > 0;
    free(account);
    return has_some;
}
