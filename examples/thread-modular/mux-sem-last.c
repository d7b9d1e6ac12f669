//EXPECT: SAFE
//VACUOUS: the threads run for ever
// MUX-SEM-LAST of the paper in C. See mux-sem-last.rely.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t x;
int flag; // somebody is about to leave
long last; // who has entered last

void *process(void *arg)
{
    for (;;) {
        sem_wait(&x);
        last = (long)arg;
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
