//EXPECT: SAFE
//ARGS: --check undefined
//REASON: No behaviour can be undefined
// The pointer is freed and forgotten in one critical section.
#include <pthread.h>
#include <stdlib.h>
int *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (shared)
        *shared = 3;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    free(shared);
    shared = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
