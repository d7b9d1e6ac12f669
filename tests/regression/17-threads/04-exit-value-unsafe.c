//EXPECT: UNSAFE
// The value is that of the exit, not of the return.
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    if (arg) pthread_exit((void *)7);
    return (void *)8;
}

int main(void)
{
    pthread_t t, u;
    void *r, *s;
    pthread_create(&t, 0, worker, &t);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, &r);
    pthread_join(u, &s);
    assert(r == s);
}
