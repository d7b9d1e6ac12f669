//EXPECT: UNSAFE
// Two transfers between two accounts. Each account has its mutex, and every
// access is protected, so there is no data race. But a transfer looks at the
// balance, unlocks, and withdraws later.
//
// Shows: freedom from data races is not correctness.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account savings = {PTHREAD_MUTEX_INITIALIZER, 10};
struct account current = {PTHREAD_MUTEX_INITIALIZER, 0};

int balance_of(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    return balance;
}

void change(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    pthread_mutex_unlock(&a->lock);
}

void *transfer(void *arg)
{
    if (balance_of(&savings) >= 10) { // the answer may be old already
        change(&savings, -10);
        change(&current, 10);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, transfer, 0);
    transfer(0);
    pthread_join(t, 0);
    assert(savings.balance + current.balance == 10);
    assert(savings.balance >= 0);
}
