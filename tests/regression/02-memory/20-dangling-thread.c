//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// A local of a thread that has ended.
#include <pthread.h>

int *p;

void *worker(void *arg)
{
    int x = 1;
    p = &x;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *p;
}
