//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: memory is used after it was freed
// free is a race with an access by another thread (C11, 7.22.3). The access may as well come after it, which was not asked for;
// that answer is found first.
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
