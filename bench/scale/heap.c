// Memory is allocated and freed, SIZE times. Grows: rounds.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < SIZE; i++) {
        int *number = malloc(sizeof *number);
        *number = i;
        assert(*number == i);
        free(number);
    }
    return 0;
}
