//EXPECT: SAFE
// A recursive mutex is free after as many unlocks as locks.
#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int worker(void *arg)
{
    mtx_lock(&m);
    assert(x == 0);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain | mtx_recursive);
    thrd_create(&t, worker, 0);
    mtx_lock(&m);
    mtx_lock(&m);
    x = 1;
    mtx_unlock(&m);
    x = 0;
    mtx_unlock(&m);
    thrd_join(t, 0);
}
