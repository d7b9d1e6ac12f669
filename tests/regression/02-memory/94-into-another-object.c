//EXPECT: UNKNOWN
//REASON: outside the bounds of an object
// `first[1 << 19]` is not `second`, wherever that lies.
#include <stdlib.h>

int main(void) {
    int *block[2];
    for (int i = 0; i < 2; i++) {
        block[i] = malloc(4 * sizeof(int));
        block[i][0] = i;
    }
    return block[0][1 << 19];
}
