//EXPECT: SAFE
//ARGS: --check leaks
// Only one of them allocates.
#include <pthread.h>
#include <stdlib.h>

int *slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!slot)
        slot = malloc(sizeof *slot);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(slot);
    return 0;
}
