//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// Volatile accesses are none (C11, 5.1.2.4).
#include <pthread.h>
volatile int x;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    seen = x;
    pthread_join(t, 0);
    return seen;
}
