//EXPECT: SAFE
//ARGS: --check assertions,undefined
// A statement expression that accesses something else than what stands beside it, or that is behind it, has an order that nobody can tell, or one that C gives.
#include <assert.h>

int main(void) {
    int count = 0, other = 0;
    int sum = ++count + ({ other = 2; other; });
    assert(sum == 3);
    count = ({ count = 7; count + 1; });
    assert(count == 8);
    count += ({ other = 1; other; });
    assert(count == 9);
    return 0;
}
