//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// x is initialised when the thread already runs.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    return (void *)(long)x;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 7;
    pthread_join(t, 0);
    return 0;
}
