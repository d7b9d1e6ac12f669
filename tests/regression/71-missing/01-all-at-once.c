//EXPECT: UNKNOWN
//REASON: a call of `log_it`, whose body is not known
//REASON: `log_it` (
//REASON: `measure` (
//REASON: `find` (
//REASON: rely_stub_NAME
// All functions without a body are named, not one after the other.
#include <assert.h>

void log_it(const char *text, ...);
int measure(int what);
int *find(int what);

int main(void) {
    log_it("start");
    if (measure(1) > 2)
        assert(*find(1) == 1);
    return 0;
}
