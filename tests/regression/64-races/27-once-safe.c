//EXPECT: SAFE
//ARGS: --check races
// pthread_once initialises, and whoever comes later sees it.
#include <pthread.h>
int x;
pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void)
{
    x = 3;
}

void *worker(void *unused)
{
    pthread_once(&once, initialise);
    return (void *)(long)x;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
