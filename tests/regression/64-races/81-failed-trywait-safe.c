//EXPECT: SAFE
//ARGS: --check races
// Taking it hands over what was written before; failing to take it lets the thread try again.
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int data;

void *giver(void *unused)
{
    data = 1;
    sem_post(&ready);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, giver, 0);
    while (sem_trywait(&ready) != 0)
        ;
    return data;
}
