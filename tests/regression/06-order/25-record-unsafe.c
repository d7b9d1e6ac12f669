//EXPECT: UNSAFE
// The record may be copied before the call.
#include <assert.h>

struct pair {
    int a, b;
} shared = {1, 2};

int change(void)
{
    shared.a = 3;
    shared.b = 4;
    return 10;
}

int sum(struct pair pair, int more)
{
    return 10 * pair.a + pair.b + 100 * more;
}

int main(void)
{
    assert(sum(shared, change()) == 1034);
}
