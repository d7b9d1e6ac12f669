//EXPECT: SAFE
//ARGS: --check races
// A lock of atomic_flag orders what is under it.
#include <pthread.h>
#include <stdatomic.h>
int x;
atomic_flag taken = ATOMIC_FLAG_INIT;

void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&taken))
        ;
    x++;
    atomic_flag_clear(&taken);
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
