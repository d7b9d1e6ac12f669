// A bank: each thread moves money from its account to that of its neighbour, under the locks of both.
// Repaired: the lock of the account with the smaller number is taken first.
#include <pthread.h>

#ifndef N
#define N 3
#endif

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[N];

static void transfer(struct account *from, struct account *to, int amount) {
#ifdef REPAIRED
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
#else
    struct account *first = from, *second = to;
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *customer(void *arg) {
    long i = (long)arg;
    transfer(&accounts[i], &accounts[(i + 1) % N], 10);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 100;
    }
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, customer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
