//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: what a thread knows by failing to take a lock
// In every interleaving, who fails to take the lock comes after the owner has written `data`. But POSIX does not say that a failure
// synchronises, so that there may be a race.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

void *owner(void *unused)
{
    data = 1;
    pthread_mutex_lock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, owner, 0);
    if (pthread_mutex_trylock(&lock) != 0)
        seen = data;
    return seen;
}
