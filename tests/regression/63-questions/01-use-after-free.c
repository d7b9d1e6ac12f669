//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: Behaviour can be undefined
//REASON: in thread worker
// The worker may write between `free` and the assignment of NULL.
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
    free(shared);
    pthread_mutex_lock(&m);
    shared = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
