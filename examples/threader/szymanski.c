//EXPECT: SAFE
// Szymanski's algorithm ("A simple solution to Lamport's concurrent programming
// problem with linear wait", ICS 1988) for two threads. Those who arrive
// together pass a waiting room together, its door is closed behind them, and
// they enter in the order of their numbers. Each thread enters once.
//
//   0 away   1 wants to come   2 waits for others   3 in the doorway   4 inside
//
// Shows: no modular proof, though each thread publishes its phase: a thread in
// phase 4 may still wait for its turn.
#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int inside; // written in the critical section only

void *thread1(void *arg)
{
    flag1 = 1;
    while (flag2 >= 3) {}
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        while (flag2 != 4) {}
    }
    flag1 = 4;
    // Nobody has a lower number.

    inside = 1;
    assert(inside == 1);

    while (flag2 == 2 || flag2 == 3) {} // whoever is in the room, passes it
    flag1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    flag2 = 1;
    while (flag1 >= 3) {}
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4) {}
    }
    flag2 = 4;
    while (flag1 >= 2) {} // the lower number goes first

    inside = 2;
    assert(inside == 2);

    flag2 = 0; // nobody has a higher number
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
