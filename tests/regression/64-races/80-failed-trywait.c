//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: what a thread knows by failing to take a lock
// That a semaphore is zero says that the other thread has been there, but not that what it wrote is seen.
#include <pthread.h>
#include <semaphore.h>

sem_t turn;
int data;

void *taker(void *unused)
{
    data = 1;
    sem_wait(&turn);
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    sem_init(&turn, 0, 1);
    pthread_create(&t, 0, taker, 0);
    if (sem_trywait(&turn) != 0)
        seen = data;
    return seen;
}
