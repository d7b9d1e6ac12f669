//EXPECT: SAFE
// Peterson's algorithm ("Myths about the mutual exclusion problem", 1981): both
// give the turn away, and who gave it away last waits. Each thread enters once.
//
// Shows: no modular proof. Between its two assignments a thread has a claim and
// has not yet given the turn away; no shared variable tells this apart.
#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int turn;
int inside; // written in the critical section only

void *thread1(void *arg)
{
    flag1 = 1;
    turn = 2;
    while (flag2 && turn == 2) {}

    inside = 1;
    assert(inside == 1);

    flag1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    flag2 = 1;
    turn = 1;
    while (flag1 && turn == 1) {}

    inside = 2;
    assert(inside == 2);

    flag2 = 0;
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
