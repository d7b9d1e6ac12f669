//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: allocated by thread worker
// A thread-local pointer is gone with its thread.
#include <pthread.h>
#include <stdlib.h>

static __thread int *cache;

void *worker(void *unused)
{
    cache = malloc(sizeof *cache);
    *cache = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
