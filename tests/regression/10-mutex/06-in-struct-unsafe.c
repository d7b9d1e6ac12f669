//EXPECT: UNSAFE
// The balance is tested before the mutex is locked.
#include <assert.h>
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t lock;
} account = {10, PTHREAD_MUTEX_INITIALIZER};

void *withdraw(void *arg)
{
    struct account *a = arg;
    if (a->balance >= 10) {
        pthread_mutex_lock(&a->lock);
        a->balance -= 10;
        pthread_mutex_unlock(&a->lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, withdraw, &account);
    withdraw(&account);
    pthread_join(t, 0);
    assert(account.balance == 0);
}
