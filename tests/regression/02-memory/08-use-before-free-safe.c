//EXPECT: SAFE
// Freed only after the last use.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg)
{
    *p = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    if (!p) return 0;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(*p == 1);
    free(p);
}
