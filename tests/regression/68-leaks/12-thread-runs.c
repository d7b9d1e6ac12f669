//EXPECT: UNKNOWN
//ARGS: --check leaks
//REASON: held by another thread
// When `main` returns, the worker may still hold its memory.
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
    return 0;
}
