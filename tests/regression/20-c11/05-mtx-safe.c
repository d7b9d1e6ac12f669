//EXPECT: SAFE
// A plain mutex excludes the other thread.
#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int worker(void *arg)
{
    assert(mtx_lock(&m) == thrd_success);
    x = x + 1;
    assert(mtx_unlock(&m) == thrd_success);
    return 0;
}

int main(void)
{
    thrd_t t;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    thrd_create(&t, worker, 0);
    worker(0);
    thrd_join(t, 0);
    assert(x == 2);
    mtx_destroy(&m);
}
