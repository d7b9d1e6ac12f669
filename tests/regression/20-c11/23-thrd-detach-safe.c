//EXPECT: SAFE
// A detached thread runs on its own; thrd_yield and thrd_sleep release no mutex.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;
cnd_t c;
int x, done;

int worker(void *arg)
{
    struct timespec duration = {1, 0};
    mtx_lock(&m);
    x = 1;
    thrd_yield();
    assert(thrd_sleep(&duration, 0) == 0);
    x = 0;
    done = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, worker, 0);
    assert(thrd_detach(t) == thrd_success);
    mtx_lock(&m);
    assert(x == 0);
    while (!done) cnd_wait(&c, &m);
    assert(x == 0);
    mtx_unlock(&m);
}
