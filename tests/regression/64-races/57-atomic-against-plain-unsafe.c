//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// An atomic write races with a plain one.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x++;
    pthread_join(t, 0);
    return x;
}
