//EXPECT: SAFE
//ARGS: --check memory
// The pointer is forgotten in the same critical section.
#include <pthread.h>
#include <stdlib.h>

int *current;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *reaper(void *unused)
{
    pthread_mutex_lock(&lock);
    free(current);
    current = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    current = malloc(sizeof *current);
    pthread_create(&t, 0, reaper, 0);
    pthread_mutex_lock(&lock);
    if (current)
        *current = 3;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
