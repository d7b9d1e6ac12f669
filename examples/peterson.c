//EXPECT: SAFE
// Peterson's algorithm: two threads exclude each other without a lock, with two
// flags that say "I want to enter" and a turn that both give away.
//
// Shows: a proof about shared variables without a lock. It holds because atomic
// accesses of different threads follow each other in one order (sequential
// consistency). With plain variables, each access would be a data race.
#include <assert.h>
#include <pthread.h>

_Atomic int want0, want1, turn;
int inside; // how many threads are in the critical section

void *thread0(void *arg)
{
    want0 = 1;
    turn = 1;
    while (want1 && turn == 1) {}

    inside++;
    assert(inside == 1);
    inside--;

    want0 = 0;
    return 0;
}

void *thread1(void *arg)
{
    want1 = 1;
    turn = 0;
    while (want0 && turn == 0) {}

    inside++;
    assert(inside == 1);
    inside--;

    want1 = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread0, 0);
    pthread_create(&b, 0, thread1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
