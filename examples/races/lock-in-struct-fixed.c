// Each account has its lock, and is reached by a pointer with it.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `savings.balance` is protected by `savings.lock`
#include <pthread.h>
struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account savings = {PTHREAD_MUTEX_INITIALIZER, 10}, current = {PTHREAD_MUTEX_INITIALIZER, 0};

void deposit(struct account *account, int amount)
{
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    pthread_mutex_unlock(&account->lock);
}

void *worker(void *unused)
{
    deposit(&savings, -1);
    deposit(&current, 1);
    return 0;
}

int main(void)
{
    pthread_t first;
    pthread_create(&first, 0, worker, 0);
    deposit(&savings, 5);
    pthread_join(first, 0);
    return savings.balance + current.balance;
}
