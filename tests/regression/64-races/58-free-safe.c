//EXPECT: SAFE
//ARGS: --check races
// The object is freed when it is not used any more.
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
    pthread_join(t, 0);
    free(object);
    return 0;
}
