//EXPECT: SAFE
//ARGS: --check undefined
//REASON: Assumed
//REASON: what has no value where it is used
// To copy a record with members that were not written is no use of them, nor is it to copy bytes: one by one, or with `memcpy`.
#include <string.h>

struct record {
    char kind;
    int x, y;
};

static struct record kept;

int main(void) {
    struct record one, other, third;
    one.x = 2;
    other = one;
    memcpy(&third, &other, sizeof third);
    unsigned char *from = (unsigned char *)&third, *to = (unsigned char *)&kept;
    for (unsigned i = 0; i < sizeof kept; i++)
        to[i] = from[i];
    return third.x + kept.x - 4;
}
