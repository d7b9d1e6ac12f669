//EXPECT: SAFE
// Who has disabled cancellation goes through, and is cancelled once it is enabled.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ready;
int through, behind;

void *worker(void *arg)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_wait(&ready);
    through = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    pthread_testcancel();
    behind = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    sem_init(&ready, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    sem_post(&ready);
    pthread_join(t, &result);
    assert(through == 1 && behind == 0 && result == PTHREAD_CANCELED);
}
