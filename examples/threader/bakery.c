//EXPECT: SAFE
// Lamport's bakery algorithm ("A new solution of Dijkstra's concurrent programming
// problem", CACM 1974) for two threads. A ticket is drawn in several steps; while
// a thread draws, it says so, and the other one waits before it compares. Each
// thread enters once.
//
// Shows: no modular proof. What a thread is about to write on its ticket is known
// to itself only.
#include <assert.h>
#include <pthread.h>

int choosing1, choosing2;
int number1, number2; // 0: no ticket
int inside;           // written in the critical section only

void *thread1(void *arg)
{
    int highest;
    choosing1 = 1;
    highest = number2;
    number1 = highest + 1;
    choosing1 = 0;
    while (choosing2) {}
    while (number2 != 0 && number2 < number1) {}

    inside = 1;
    assert(inside == 1);

    number1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    int highest;
    choosing2 = 1;
    highest = number1;
    number2 = highest + 1;
    choosing2 = 0;
    while (choosing1) {}
    while (number1 != 0 && number1 <= number2) {} // with equal tickets, thread 1 goes first

    inside = 2;
    assert(inside == 2);

    number2 = 0;
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
