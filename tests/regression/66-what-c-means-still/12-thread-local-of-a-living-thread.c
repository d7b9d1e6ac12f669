//EXPECT: SAFE
// The twin of 11: `main` looks while the thread waits for it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
_Thread_local int x;
int *p;
sem_t ready, done;
void *run(void *arg) {
    x = 5;
    p = &x;
    sem_post(&ready);
    sem_wait(&done);
    return arg;
}
int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, run, 0);
    sem_wait(&ready);
    assert(*p == 5 && x == 0);
    sem_post(&done);
    pthread_join(t, 0);
}
