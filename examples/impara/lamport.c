//EXPECT: SAFE
// Lamport's algorithm ("A fast mutual exclusion algorithm", 1987) for two
// threads. Seven accesses to shared variables are enough where nobody else is:
// whoever still finds its own number in `x` goes in. Each thread enters once.
//
// Shows: a thread that loses starts again, so paths are long and loops nest.
#include <assert.h>
#include <pthread.h>

int x, y;    // the number of a thread; in `y`, 0 says that nobody is there
int b1, b2;  // who is trying
int visitor; // written in the critical section only

void *first(void *arg)
{
start:
    b1 = 1;
    x = 1;
    if (y != 0) {
        b1 = 0;
        while (y != 0) {}
        goto start;
    }
    y = 1;
    if (x != 1) {
        b1 = 0;
        while (b2) {}
        if (y != 1) {
            while (y != 0) {}
            goto start;
        }
    }

    visitor = 1;
    assert(visitor == 1);

    y = 0;
    b1 = 0;
    return 0;
}

void *second(void *arg)
{
start:
    b2 = 1;
    x = 2;
    if (y != 0) {
        b2 = 0;
        while (y != 0) {}
        goto start;
    }
    y = 2;
    if (x != 2) {
        b2 = 0;
        while (b1) {}
        if (y != 2) {
            while (y != 0) {}
            goto start;
        }
    }

    visitor = 2;
    assert(visitor == 2);

    y = 0;
    b2 = 0;
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
