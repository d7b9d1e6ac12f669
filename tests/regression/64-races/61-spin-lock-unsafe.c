//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// It is given back too early.
#include <pthread.h>
#include <stdatomic.h>
int x;
atomic_flag taken = ATOMIC_FLAG_INIT;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&taken))
        ;
    atomic_flag_clear(&taken);
    x++;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
