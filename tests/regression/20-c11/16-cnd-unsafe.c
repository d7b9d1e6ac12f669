//EXPECT: UNSAFE
// `if` instead of `while`: a spurious wake-up.
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int ready;

int producer(void *arg)
{
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, producer, 0);
    mtx_lock(&m);
    if (!ready) cnd_wait(&c, &m);
    assert(ready);
}
