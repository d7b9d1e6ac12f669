//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a locked mutex is destroyed: `account.lock`, which thread worker holds
// The worker forgets to unlock.
#include <pthread.h>
struct account { int balance; pthread_mutex_t lock; } account = { 0, PTHREAD_MUTEX_INITIALIZER };

void *worker(void *unused)
{
    pthread_mutex_lock(&account.lock);
    account.balance++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_destroy(&account.lock);
    return 0;
}
