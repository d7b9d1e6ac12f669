//EXPECT: UNKNOWN
//REASON: was freed before
// Both threads may find the pointer before it is cleared.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *argument) {
    (void)argument;
    int *mine = shared;
    shared = 0;
    free(mine);
    return 0;
}

int main(void) {
    pthread_t a, b;
    shared = malloc(sizeof(int));
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
