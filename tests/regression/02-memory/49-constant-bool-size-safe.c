//EXPECT: SAFE
// A size that is converted to _Bool is 0 or 1, also where it is known beforehand.
#include <assert.h>

static int eight = 8;

int main(void)
{
    const _Bool some = eight;
    int a[some + 1];
    assert(some == 1 && sizeof a == 2 * sizeof(int));
}
