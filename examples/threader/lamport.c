//EXPECT: SAFE
// Lamport's fast algorithm ("A fast mutual exclusion algorithm", TOCS 1987) for
// two threads. Who is alone gets in with seven accesses to shared variables; who
// finds `y` taken starts again, and who finds `x` overwritten waits until all
// others have made up their minds. Each thread enters once.
//
// Shows: no modular proof; a thread that lost looks like one that is inside.
#include <assert.h>
#include <pthread.h>

int b1, b2; // who is trying
int x;      // who tried last
int y;      // who holds the gate; 0: nobody
int inside; // written in the critical section only

void *thread1(void *arg)
{
    while (1) {
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0) {}
            continue;
        }
        y = 1;
        if (x == 1) break; // the fast way
        b1 = 0;
        while (b2) {}
        if (y == 1) break;
        while (y != 0) {}
    }

    inside = 1;
    assert(inside == 1);

    y = 0;
    b1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    while (1) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0) {}
            continue;
        }
        y = 2;
        if (x == 2) break; // the fast way
        b2 = 0;
        while (b1) {}
        if (y == 2) break;
        while (y != 0) {}
    }

    inside = 2;
    assert(inside == 2);

    y = 0;
    b2 = 0;
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
