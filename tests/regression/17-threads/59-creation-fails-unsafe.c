//EXPECT: UNSAFE
//ARGS: --creation-may-fail
// POSIX lets `pthread_create` fail with EAGAIN.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    if (pthread_create(&t, 0, worker, 0) == 0)
        pthread_join(t, 0);
    assert(x == 1);
}
