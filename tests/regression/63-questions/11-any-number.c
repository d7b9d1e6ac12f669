//EXPECT: SAFE
//ARGS: --check undefined
// Any number of threads count up to a bound under a lock: no overflow, no misuse.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (x < 100)
        x++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
