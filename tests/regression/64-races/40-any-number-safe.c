//EXPECT: SAFE
//ARGS: --check races
// Any number of threads, all under the lock.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    x = !x;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    int seen = 0;
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_mutex_lock(&m);
        seen = x;
        pthread_mutex_unlock(&m);
    }
    return seen;
}
