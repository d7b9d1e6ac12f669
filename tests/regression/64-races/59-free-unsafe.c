//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// free is a race with an access by another thread.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *object)
{
    *(int *)object = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int *object = malloc(sizeof *object);
    if (!object)
        return 1;
    pthread_create(&t, 0, worker, object);
    free(object);
    pthread_join(t, 0);
    return 0;
}
