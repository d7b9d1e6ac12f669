//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: is initialised again, and was not destroyed
// The second thread may come when the first one uses it already.
#include <pthread.h>
#include <semaphore.h>

sem_t it;

void *worker(void *unused)
{
    sem_init(&it, 0, 1);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}
