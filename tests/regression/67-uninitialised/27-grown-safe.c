//EXPECT: SAFE
//ARGS: --check undefined
#include <stdlib.h>

int main(void) {
    int *numbers = calloc(1, sizeof(int));
    numbers = (int *)realloc(numbers, 2 * sizeof(int));
    numbers[1] = 1;
    int sum = numbers[0] + numbers[1];
    free(numbers);
    return sum;
}
