//EXPECT: SAFE
//VACUOUS: the threads run for ever
// The bakery of the paper in C, for two: whoever wants to enter takes a ticket with a larger number than
// the other one has. Tickets are taken and compared in one step, as in the paper's model, and
// there are only a few.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

enum { TICKETS = 3 };

unsigned char number[2];
int inside;

void serve(int me)
{
    int other = 1 - me;
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(number[other] < TICKETS);
        number[me] = number[other] + 1;
        __VERIFIER_atomic_end();

        __VERIFIER_atomic_begin();
        __VERIFIER_assume(number[other] == 0 || number[me] < number[other] ||
                          (number[me] == number[other] && me < other));
        __VERIFIER_atomic_end();

        assert(!inside);
        inside = 1;
        inside = 0;
        number[me] = 0;
    }
}

void *first(void *arg) { serve(0); return 0; }
void *second(void *arg) { serve(1); return 0; }

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
