//EXPECT: SAFE
// The lock lets only one thread find the pointer.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    int *mine = shared;
    shared = 0;
    pthread_mutex_unlock(&lock);
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
    assert(shared == 0);
    return 0;
}
