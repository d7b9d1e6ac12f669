//EXPECT: SAFE
//ARGS: --check races
// Both count for ever under the lock.
#include <pthread.h>
unsigned x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);

int more(void)
{
    return __VERIFIER_nondet_int();
}

void *worker(void *unused)
{
    while (more()) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
