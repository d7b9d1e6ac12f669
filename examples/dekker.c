//EXPECT: SAFE
// Dekker's algorithm, the oldest solution for two threads. A thread that finds
// the other one interested steps back unless it is its turn.
//
// Shows: loops without a bound. Each thread enters the critical section twice.
#include <assert.h>
#include <pthread.h>

_Atomic int want[2], turn;
int owner = -1; // who is in the critical section

void *worker(void *arg)
{
    int me = arg != 0, other = !me;
    for (int round = 0; round < 2; round++) {
        want[me] = 1;
        while (want[other]) {
            if (turn != me) {
                want[me] = 0;
                while (turn != me) {}
                want[me] = 1;
            }
        }

        owner = me;
        assert(owner == me);

        turn = other;
        want[me] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, (void *)1);
    worker(0);
}
