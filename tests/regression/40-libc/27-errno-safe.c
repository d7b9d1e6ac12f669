//EXPECT: SAFE
// Each thread has its own errno.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *arg)
{
    errno = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    errno = 3;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(errno == 3);
}
