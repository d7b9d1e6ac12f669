//EXPECT: SAFE
// Szymanski's algorithm ("A simple solution to Lamport's concurrent programming
// problem with linear wait", 1988) for two threads: those who come together
// pass a door together, close it, and then enter in the order of their numbers.
//
// Shows: variables with more than two values. Each thread enters once.
#include <assert.h>
#include <pthread.h>

enum { AWAY, INTENDS, WAITS, IN_DOORWAY, INSIDE };

int state1, state2;
int visitor; // written in the critical section only

void *first(void *arg)
{
    state1 = INTENDS;
    while (state2 >= IN_DOORWAY) {}
    state1 = IN_DOORWAY;
    if (state2 == INTENDS) {
        state1 = WAITS;
        while (state2 != INSIDE) {}
    }
    state1 = INSIDE;

    visitor = 1;
    assert(visitor == 1);

    while (state2 == WAITS || state2 == IN_DOORWAY) {}
    state1 = AWAY;
    return 0;
}

void *second(void *arg)
{
    state2 = INTENDS;
    while (state1 >= IN_DOORWAY) {}
    state2 = IN_DOORWAY;
    if (state1 == INTENDS) {
        state2 = WAITS;
        while (state1 != INSIDE) {}
    }
    state2 = INSIDE;
    while (state1 >= WAITS) {} // the first one goes first

    visitor = 2;
    assert(visitor == 2);

    state2 = AWAY;
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
