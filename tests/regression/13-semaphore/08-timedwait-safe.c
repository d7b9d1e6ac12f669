//EXPECT: SAFE
// timedwait succeeds at once if it can; else it may fail with ETIMEDOUT.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;
int data;

void *worker(void *arg)
{
    data = 1;
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    sem_init(&s, 0, 1);
    assert(sem_timedwait(&s, &until) == 0);
    pthread_create(&t, 0, worker, 0);
    if (sem_timedwait(&s, &until) == 0)
        assert(data == 1);
    else
        assert(errno == ETIMEDOUT);
}
