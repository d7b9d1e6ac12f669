//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread client[0] waits for log_file, which thread main holds
// However many clients there are, each holds the table while it waits for the log; main takes the log first.
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
    pthread_mutex_lock(&log_file);
    pthread_mutex_lock(&table);
    pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&log_file);
    pthread_exit(NULL);
}
