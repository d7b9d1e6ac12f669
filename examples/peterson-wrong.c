//EXPECT: UNSAFE
// Peterson's algorithm with its first two lines exchanged: the turn is given
// away before the thread says that it wants to enter.
//
// Shows: a counterexample of a few steps to an algorithm that looks right.
#include <assert.h>
#include <pthread.h>

_Atomic int want0, want1, turn;
int inside;

void *thread0(void *arg)
{
    turn = 1;
    want0 = 1; // wrong: must come first
    while (want1 && turn == 1) {}

    inside++;
    assert(inside == 1);
    inside--;

    want0 = 0;
    return 0;
}

void *thread1(void *arg)
{
    turn = 0;
    want1 = 1; // wrong: must come first
    while (want0 && turn == 0) {}

    inside++;
    assert(inside == 1);
    inside--;

    want1 = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, thread0, 0);
    pthread_create(&b, 0, thread1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
