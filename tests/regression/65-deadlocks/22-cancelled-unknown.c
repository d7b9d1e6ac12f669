//EXPECT: UNKNOWN
//ARGS: --check deadlocks
//REASON: deadlocks of threads that are cancelled
// Threads that are cancelled while they wait are not modelled here.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
