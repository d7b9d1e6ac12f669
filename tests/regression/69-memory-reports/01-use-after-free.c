//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: memory is used after it was freed: `heap@31.bytes`, in thread main at
//REASON: allocated by thread main at
//REASON: freed by thread reaper at
//REASON: in end_session, called at
// The reaper may free the session before `main` uses it.
#include <pthread.h>
#include <stdlib.h>

struct session { int id; int bytes; };
struct session *current;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void end_session(struct session *session)
{
    free(session);
}

void *reaper(void *unused)
{
    pthread_mutex_lock(&lock);
    end_session(current);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    current = malloc(sizeof *current);
    pthread_create(&t, 0, reaper, 0);
    pthread_mutex_lock(&lock);
    current->bytes = 3;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
