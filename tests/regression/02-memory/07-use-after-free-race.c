//EXPECT: UNKNOWN
//REASON: used after it was freed
// The other thread may have freed it already.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg)
{
    free(p);
    return 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    if (!p) return 0;
    pthread_create(&t, 0, worker, 0);
    *p = 1;
    pthread_join(t, 0);
}
