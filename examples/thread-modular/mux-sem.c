//EXPECT: SAFE
//VACUOUS: the threads run for ever
// MUX-SEM of the paper in C: a critical section that a semaphore protects. See mux-sem.rely.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t x;
int flag; // somebody is about to leave

void *process(void *arg)
{
    for (;;) {
        sem_wait(&x);
        assert(!flag);
        flag = 1;
        flag = 0;
        sem_post(&x);
    }
}

int main(void)
{
    pthread_t first, second, third;
    sem_init(&x, 0, 1);
    pthread_create(&first, 0, process, (void *)1);
    pthread_create(&second, 0, process, (void *)2);
    pthread_create(&third, 0, process, (void *)3);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
}
