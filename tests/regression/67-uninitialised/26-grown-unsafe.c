//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a variable is read before it was written: `heap@9[1]`
// What `realloc` adds has no value.
#include <stdlib.h>

int main(void) {
    int *numbers = calloc(1, sizeof(int));
    numbers = (int *)realloc(numbers, 2 * sizeof(int));
    int sum = numbers[0] + numbers[1];
    free(numbers);
    return sum;
}
