//EXPECT: UNKNOWN
//ARGS: --property memsafety.prp
//REASON: memory: SAFE
//REASON: held by another thread
// The worker holds its memory all the time; where `main` waits for it, the model does not see that.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused)
{
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    free(mine);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
