//EXPECT: SAFE
//ARGS: --check races
// Who fails to take a lock does something else, which needs nothing of what others have done.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int data, missed;

void *worker(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        data++;
        pthread_mutex_unlock(&lock);
    } else {
        pthread_mutex_lock(&other);
        missed++;
        pthread_mutex_unlock(&other);
    }
    while (pthread_mutex_trylock(&other) != 0)
        ;
    missed--;
    pthread_mutex_unlock(&other);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return data + missed;
}
