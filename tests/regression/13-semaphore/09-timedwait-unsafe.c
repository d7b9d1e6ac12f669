//EXPECT: UNSAFE
// timedwait can time out.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t s;

void *worker(void *arg)
{
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {0, 0};
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    assert(sem_timedwait(&s, &until) == 0);
}
