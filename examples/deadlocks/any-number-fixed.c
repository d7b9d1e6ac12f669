//EXPECT: SAFE
//ARGS: --check deadlocks
//REASON: who holds one of these waits only for later ones: table, log_file
// However many clients there are, each holds the table while it waits for the log; main does the same.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_file = PTHREAD_MUTEX_INITIALIZER;

static void *client(void *arg)
{
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&log_file);
    pthread_mutex_unlock(&log_file);
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, NULL, client, NULL);
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&log_file);
    pthread_mutex_unlock(&log_file);
    pthread_mutex_unlock(&table);
    pthread_exit(NULL);
}
