//EXPECT: SAFE
//ARGS: --engine rely-guarantee
//REASON: signed overflow, should it happen, gives some value
// Any number of readers and of writers: a lock knows which of all of them holds it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x; /* may overflow, which is said */
extern int __VERIFIER_nondet_int(void);

void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    int seen = x;
    assert(seen == x);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, reader, 0);
        pthread_create(&t, 0, writer, 0);
    }
}
