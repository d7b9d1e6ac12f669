//EXPECT: UNKNOWN
//REASON: undefined
// A mutex must not be destroyed while the other thread holds it.
#include <pthread.h>

pthread_mutex_t m;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_destroy(&m);
}
