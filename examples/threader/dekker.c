//EXPECT: SAFE
// Dekker's algorithm, which Dijkstra published ("Cooperating sequential
// processes", 1965): who has a claim and meets another one insists or steps
// back, as `turn` says. Each thread enters once.
//
// Shows: no modular proof. That the other one waits in front of the critical
// section is in its position and nowhere else: its claim looks the same inside.
#include <assert.h>
#include <pthread.h>

int c1, c2;   // claims
int turn = 1; // who insists
int inside;   // written in the critical section only

void *thread1(void *arg)
{
    c1 = 1;
    while (c2) {
        if (turn != 1) {
            c1 = 0;
            while (turn != 1) {}
            c1 = 1;
        }
    }

    inside = 1;
    assert(inside == 1);

    turn = 2;
    c1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    c2 = 1;
    while (c1) {
        if (turn != 2) {
            c2 = 0;
            while (turn != 2) {}
            c2 = 1;
        }
    }

    inside = 2;
    assert(inside == 2);

    turn = 1;
    c2 = 0;
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
