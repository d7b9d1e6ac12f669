//EXPECT: UNKNOWN
//REASON: `fail` returns, and is declared not to
// What follows the call is not there: gcc leaves it out.
#include <assert.h>
__attribute__((noreturn)) void fail(void) {}

int main(void) {
    fail();
    assert(1);
    return 0;
}
