// The semaphore hands the work from one to the other.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `shared_work` is accessed only by who has passed the semaphore `turn`
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
    sem_init(&turn, 0, 1);
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
