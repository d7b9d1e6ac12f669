//EXPECT: SAFE
//ARGS: --check undefined
// `calloc` and `memset` write all of it.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *counts = calloc(3, sizeof(int)), *others = malloc(3 * sizeof(int));
    memset(others, 0, 3 * sizeof(int));
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += counts[i] + others[i];
    free(counts);
    free(others);
    return sum;
}
