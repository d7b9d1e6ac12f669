//EXPECT: SAFE
//ARGS: --check races
// x is initialised before the thread is created.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    return (void *)(long)x;
}

int main(void)
{
    pthread_t t;
    x = 7;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
