//EXPECT: UNSAFE
// The value is read under the lock but written after it.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int x;

void *worker(void *arg)
{
    pthread_spin_lock(&l);
    int old = x;
    pthread_spin_unlock(&l);
    x = old + 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
}
