//EXPECT: SAFE
//ARGS: --check memory,leaks
// The request is counted while the lock is held.
#include <pthread.h>
#include <stdlib.h>

struct session {
    int id;
    int requests;
};

static struct session *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reaper(void *unused)
{
    pthread_mutex_lock(&lock);
    free(current);
    current = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t timer;
    current = malloc(sizeof *current);
    current->id = 1;
    current->requests = 0;
    pthread_create(&timer, NULL, reaper, NULL);
    pthread_mutex_lock(&lock);
    if (current)
        current->requests++;
    pthread_mutex_unlock(&lock);
    pthread_join(timer, NULL);
    return 0;
}
