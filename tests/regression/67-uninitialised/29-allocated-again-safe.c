//EXPECT: SAFE
//ARGS: --check undefined
#include <stdlib.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        long *cell = malloc(sizeof(long));
        if (i == 0)
            *cell = 1;
        else
            *cell = 2;
        sum += *cell == 1;
        free(cell);
    }
    return sum;
}
