//EXPECT: SAFE
//ARGS: --check races
// main reads under the lock, too.
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
    pthread_mutex_lock(&m);
    seen = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return seen;
}
