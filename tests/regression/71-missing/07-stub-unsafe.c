//EXPECT: UNSAFE
//REASON: value < 99
// The stub of `read_sensor` may write 99.
#include <assert.h>

void read_sensor(int number, int *value);

extern unsigned __VERIFIER_nondet_uint(void);

void rely_stub_read_sensor(int number, int *value) {
    *value = __VERIFIER_nondet_uint() % 100;
}

int main(void) {
    int value = 0;
    read_sensor(1, &value);
    assert(value < 99);
    return 0;
}
