//EXPECT: SAFE
// pthread_exit ends the thread from within a function, with a value.
#include <assert.h>
#include <pthread.h>

int x;

void leave(void)
{
    pthread_exit((void *)7);
}

void *worker(void *arg)
{
    leave();
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &r);
    assert((long)r == 7);
    assert(x == 0);
}
