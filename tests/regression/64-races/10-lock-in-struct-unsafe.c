//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The lock is that of the other account.
#include <pthread.h>
struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 0 }, { PTHREAD_MUTEX_INITIALIZER, 0 } };

void deposit(struct account *to, struct account *locked)
{
    pthread_mutex_lock(&locked->lock);
    to->balance++;
    pthread_mutex_unlock(&locked->lock);
}

void *worker(void *account)
{
    deposit(account, account);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, &accounts[0]);
    pthread_create(&b, 0, worker, &accounts[1]);
    deposit(&accounts[1], &accounts[0]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return accounts[0].balance;
}
