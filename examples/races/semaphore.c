// The semaphore lets two workers in at once.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on shared_work
#include <pthread.h>
#include <semaphore.h>
sem_t turn;
int shared_work;

void *worker(void *unused)
{
    sem_wait(&turn);
    shared_work++;
    sem_post(&turn);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&turn, 0, 2);
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
