//EXPECT: UNKNOWN
//REASON: a null pointer is dereferenced
// It was tested, but then changed by the other thread.
#include <pthread.h>

int x;
int *p = &x;

void *worker(void *arg)
{
    p = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (p) *p = 1;
    pthread_join(t, 0);
}
