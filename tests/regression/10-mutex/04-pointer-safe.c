//EXPECT: SAFE
// Both threads get a pointer to the same mutex of an array.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m[2];
int inside;

void *worker(void *arg)
{
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(mine);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&m[1], 0);
    pthread_create(&a, 0, worker, &m[1]);
    pthread_create(&b, 0, worker, &m[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
