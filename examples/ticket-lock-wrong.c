//EXPECT: UNSAFE
// A ticket lock whose tickets are drawn in two steps: load, then store. Two
// threads can draw the same number and are then served together.
//
// Shows: "each access is atomic" is not "the operation is atomic".
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int inside;

void lock(void)
{
    unsigned mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1); // wrong: somebody may have drawn in between
    while (atomic_load(&now_serving) != mine) {}
}

void unlock(void)
{
    atomic_fetch_add(&now_serving, 1);
}

void *worker(void *arg)
{
    lock();
    assert(inside == 0);
    inside = 1;
    inside = 0;
    unlock();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
