//EXPECT: UNSAFE
// errno is set by a failing function, and by no other thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *worker(void *arg)
{
    errno = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    if (errno == 5 || sem_trywait(&s) != -1) return 0;
    assert(errno != EAGAIN);
}
