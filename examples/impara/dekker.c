//EXPECT: SAFE
// Dekker's algorithm (Dijkstra, "Cooperating sequential processes", 1965), as
// one thread each for the two sides, each of which enters once.
//
// Shows: mutual exclusion with reads and writes alone; a thread that is not
// favoured takes its claim back and waits, without a bound.
#include <assert.h>
#include <pthread.h>

int claim1, claim2;
int favoured = 1; // who insists when both have a claim
int visitor;      // written in the critical section only

void *first(void *arg)
{
    claim1 = 1;
    while (claim2) {
        if (favoured == 2) {
            claim1 = 0;
            while (favoured == 2) {}
            claim1 = 1;
        }
    }

    visitor = 1;
    assert(visitor == 1);

    favoured = 2;
    claim1 = 0;
    return 0;
}

void *second(void *arg)
{
    claim2 = 1;
    while (claim1) {
        if (favoured == 1) {
            claim2 = 0;
            while (favoured == 1) {}
            claim2 = 1;
        }
    }

    visitor = 2;
    assert(visitor == 2);

    favoured = 1;
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
