//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@7[2]`
#include <stdlib.h>

int main(void) {
    int *counts = malloc(3 * sizeof(int));
    counts[0] = counts[1] = 1;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += counts[i];
    free(counts);
    return sum;
}
