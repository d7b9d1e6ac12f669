//EXPECT: SAFE
// The bakery algorithm in the simple form of Manna and Pnueli ("Temporal
// verification of reactive systems: safety", 1995) for two threads: drawing a
// ticket is one step, so no thread sees a ticket that is half drawn. Each thread
// enters once. bakery.c does without that step.
//
// Modular: a thread inside knows that it has a ticket and that the other one has
// none or a later one. Only its owner changes a ticket, and always to 0 or to a
// later number, so this stays true whatever the other one does.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ticket1, ticket2; // 0: none
int inside;           // written in the critical section only

void *thread1(void *arg)
{
    __VERIFIER_atomic_begin();
    ticket1 = ticket2 + 1;
    __VERIFIER_atomic_end();
    while (ticket2 != 0 && ticket2 < ticket1) {}

    inside = 1;
    assert(inside == 1);

    ticket1 = 0;
    return 0;
}

void *thread2(void *arg)
{
    __VERIFIER_atomic_begin();
    ticket2 = ticket1 + 1;
    __VERIFIER_atomic_end();
    while (ticket1 != 0 && ticket1 <= ticket2) {}

    inside = 2;
    assert(inside == 2);

    ticket2 = 0;
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
