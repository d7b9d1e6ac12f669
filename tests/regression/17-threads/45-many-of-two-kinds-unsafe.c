//EXPECT: UNSAFE
//ARGS: --engine rely-guarantee --timeout 60
// Any number of readers and of writers, and these do not exclude each other.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned x; /* may wrap around */
extern int __VERIFIER_nondet_int(void);

void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    unsigned seen = x;
    assert(seen == x);
    pthread_mutex_unlock(&lock);
    return 0;
}

void *writer(void *arg)
{
    x++;
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
