//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// A read outside of the lock races with the write under it.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    seen = x;
    pthread_join(t, 0);
    return seen;
}
