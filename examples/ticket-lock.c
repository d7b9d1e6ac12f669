//EXPECT: SAFE
// A ticket lock: each thread draws a number and waits until it is served.
//
// Shows: C11 atomics. Drawing a number is one step, so no two threads get the
// same; three threads increment a plain counter under the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int counter;

void lock(void)
{
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine) {}
}

void unlock(void)
{
    atomic_fetch_add(&now_serving, 1);
}

void *worker(void *arg)
{
    lock();
    counter = counter + 1;
    unlock();
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(counter == 3);
}
