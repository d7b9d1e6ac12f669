//EXPECT: SAFE
//VACUOUS: main creates threads for ever
// Two threads that never end; what the mutex protects stays in its relation.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int x, y, n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (x < n) {
            x++;
            y++;
        }
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    pthread_t t;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    pthread_create(&t, 0, worker, 0);
    while (1) {
        pthread_mutex_lock(&m);
        assert(x == y && x <= n);
        pthread_mutex_unlock(&m);
    }
}
