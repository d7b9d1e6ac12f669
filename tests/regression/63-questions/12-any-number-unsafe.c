//EXPECT: UNSAFE
//ARGS: --check undefined
// The bound is not tested under the lock.
//REASON: signed overflow
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 2147483646;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (x != -1)
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
