//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@11
// The second round may get the memory of the first, but not its values.
#include <stdlib.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        long *cell;
        cell = malloc(sizeof(long));
        if (i == 0)
            *cell = 1;
        sum += *cell == 1;
        free(cell);
    }
    return sum;
}
