//EXPECT: SAFE
// Who gets the mutex by mtx_trylock is alone.
#include <assert.h>
#include <threads.h>

mtx_t m;
int inside;

int worker(void *arg)
{
    int r = mtx_trylock(&m);
    assert(r == thrd_success || r == thrd_busy);
    if (r == thrd_success) {
        assert(inside == 0);
        inside = 1;
        inside = 0;
        mtx_unlock(&m);
    }
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, worker, 0);
    worker(0);
    thrd_join(t, 0);
}
