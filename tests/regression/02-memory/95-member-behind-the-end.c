//EXPECT: UNKNOWN
//REASON: outside the bounds of an object
// Too little is allocated: the size of the pointer.
#include <stdlib.h>

struct large {
    char name[32];
    int value;
};

int main(void) {
    struct large *item[2];
    for (int i = 0; i < 2; i++) item[i] = malloc(sizeof(item[i]));
    item[0]->value = 1;
    return 0;
}
