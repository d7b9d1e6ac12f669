//EXPECT: SAFE
// The waiter tests in a loop.
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int ready, data;

int producer(void *arg)
{
    data = 42;
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    assert(cnd_init(&c) == thrd_success);
    thrd_create(&t, producer, 0);
    mtx_lock(&m);
    while (!ready) cnd_wait(&c, &m);
    assert(data == 42);
    mtx_unlock(&m);
    thrd_join(t, 0);
    cnd_destroy(&c);
}
