//EXPECT: SAFE
//ARGS: --check undefined
// The worker unlocks what it has locked.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        done++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
