//EXPECT: SAFE
//VACUOUS: main creates threads for ever
//ARGS: --data-model ilp32
// Ids of 32 bits come back, but to join one is still to wait for it.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    for (;;) {
        x = 0;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
        assert(x == 1);
    }
}
