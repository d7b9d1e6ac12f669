//EXPECT: SAFE
//ARGS: --check assertions,undefined
// The stubs say what the functions do: one writes through its pointer, one returns a number of a range, one never returns.
#include <assert.h>
#include <stdlib.h>

int read_sensor(int number, int *value);
unsigned limit(void);
void die(const char *why);

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int rely_stub_read_sensor(int number, int *value) {
    if (number < 0)
        return -1;
    *value = __VERIFIER_nondet_int() % 100;
    return 0;
}

unsigned rely_stub_limit(void) {
    return 100 + __VERIFIER_nondet_uint() % 5;
}

void rely_stub_die(const char *why) {
    exit(1);
}

int main(void) {
    int value = 1000;
    if (read_sensor(1, &value) != 0)
        die("no sensor");
    assert(value < (int)limit());
    return 0;
}
