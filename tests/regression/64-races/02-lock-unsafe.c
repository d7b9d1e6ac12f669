//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The second access of each, the write, is outside of the lock.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int read = x;
    pthread_mutex_unlock(&m);
    x = read + 1;
    return 0;
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
