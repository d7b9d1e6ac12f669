//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model tso
// Dekker: the flags are read before they are visible.
#include <assert.h>
#include <pthread.h>

volatile int wants_1, wants_2, turn = 1, inside;

void *first(void *unused)
{
    for (;;) {
        wants_1 = 1;
        while (wants_2)
            if (turn != 1) {
                wants_1 = 0;
                while (turn != 1)
                    ;
                wants_1 = 1;
            }
        inside++;
        assert(inside == 1);
        inside--;
        turn = 2;
        wants_1 = 0;
    }
    return 0;
}


void *second(void *unused)
{
    for (;;) {
        wants_2 = 1;
        while (wants_1)
            if (turn != 2) {
                wants_2 = 0;
                while (turn != 2)
                    ;
                wants_2 = 1;
            }
        inside++;
        assert(inside == 1);
        inside--;
        turn = 1;
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
