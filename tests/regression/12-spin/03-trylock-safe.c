//EXPECT: SAFE
// trylock returns 0 or EBUSY, and means it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t l;
int inside;

void *worker(void *arg)
{
    int r = pthread_spin_trylock(&l);
    if (r == 0) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        pthread_spin_unlock(&l);
    } else {
        assert(r == EBUSY);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
}
