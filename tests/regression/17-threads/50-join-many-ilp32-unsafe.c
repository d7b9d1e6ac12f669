//EXPECT: UNSAFE
//ARGS: --data-model ilp32
// Only the second of two is waited for.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *arg)
{
    x = (int)arg;
    return 0;
}

int main(void)
{
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, worker, (void *)1);
        pthread_create(&t, 0, worker, (void *)2);
        pthread_join(t, 0);
        assert(x == 2);
    }
}
