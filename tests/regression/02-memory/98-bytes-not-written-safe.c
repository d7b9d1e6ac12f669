//EXPECT: SAFE
//ARGS: --engine explore
// What nobody has written has any value, and nobody looks at it: it is not taken value by value.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *buffer[4];
    for (int i = 0; i < 4; i++) {
        buffer[i] = malloc(16);
        buffer[i][i] = (char)i;
    }
    for (int i = 0; i < 4; i++) assert(buffer[i][i] == i);
    return 0;
}
