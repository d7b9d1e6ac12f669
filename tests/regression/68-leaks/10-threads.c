//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: allocated by thread worker
// Both workers may find no slot, and the second one overwrites what the first has put there.
#include <pthread.h>
#include <stdlib.h>

int *slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int *seen = slot;
    pthread_mutex_unlock(&lock);
    if (!seen) {
        int *mine = malloc(sizeof *mine);
        pthread_mutex_lock(&lock);
        slot = mine;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(slot);
    return 0;
}
