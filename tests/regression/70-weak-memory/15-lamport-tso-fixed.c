//EXPECT: SAFE
//ARGS: --check assertions --memory-model tso
//VACUOUS: the threads run for ever
// Lamport's fast mutual exclusion (1987) with fences.
#include <assert.h>
#include <pthread.h>

volatile int x, y, busy_1, busy_2, inside;

void *first(void *unused)
{
    for (;;) {
        busy_1 = 1;
        x = 1;
        __sync_synchronize();
        if (y != 0) {
            busy_1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        __sync_synchronize();
        if (x != 1) {
            busy_1 = 0;
            __sync_synchronize();
            while (busy_2)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        inside++;
        assert(inside == 1);
        inside--;
        y = 0;
        busy_1 = 0;
    }
    return 0;
}


void *second(void *unused)
{
    for (;;) {
        busy_2 = 1;
        x = 2;
        __sync_synchronize();
        if (y != 0) {
            busy_2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        __sync_synchronize();
        if (x != 2) {
            busy_2 = 0;
            __sync_synchronize();
            while (busy_1)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        inside++;
        assert(inside == 1);
        inside--;
        y = 0;
        busy_2 = 0;
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
