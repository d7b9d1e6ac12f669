//EXPECT: SAFE
// Peterson's algorithm ("Myths about the mutual exclusion problem", 1981):
// whoever was polite last, waits. Each thread enters once.
//
// Shows: a condition of two reads, between which the other thread can move.
#include <assert.h>
#include <pthread.h>

int claim1, claim2;
int polite;  // who let the other one go first
int visitor; // written in the critical section only

void *first(void *arg)
{
    claim1 = 1;
    polite = 1;
    while (claim2 && polite == 1) {}

    visitor = 1;
    assert(visitor == 1);

    claim1 = 0;
    return 0;
}

void *second(void *arg)
{
    claim2 = 1;
    polite = 2;
    while (claim1 && polite == 2) {}

    visitor = 2;
    assert(visitor == 2);

    claim2 = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
