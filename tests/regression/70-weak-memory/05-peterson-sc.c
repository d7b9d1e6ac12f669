//EXPECT: SAFE
//ARGS: --check assertions --memory-model sc
//VACUOUS: the threads run for ever
//REASON: sequentially consistent
// Without any fence, for interleavings.
#include <assert.h>
#include <pthread.h>

volatile int wants_1, wants_2, turn, inside;

void *first(void *unused)
{
    for (;;) {
        wants_1 = 1;
        turn = 2;
        while (wants_2 && turn == 2)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants_1 = 0;
    }
    return 0;
}


void *second(void *unused)
{
    for (;;) {
        wants_2 = 1;
        turn = 1;
        while (wants_1 && turn == 1)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants_2 = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
