//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: memory is used after it was freed: `heap@29.requests`
//REASON: freed by thread reaper
// A session that has timed out is freed while a request is counted in it: the lock protects the list, and `session` was read before.
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
    struct session *session = current;
    pthread_mutex_unlock(&lock);
    if (session)
        session->requests++;
    pthread_join(timer, NULL);
    return 0;
}
