//EXPECT: UNSAFE
// Unlocked between the read and the write.
#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int worker(void *arg)
{
    mtx_lock(&m);
    int old = x;
    mtx_unlock(&m);
    mtx_lock(&m);
    x = old + 1;
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, worker, 0);
    worker(0);
    thrd_join(t, 0);
    assert(x == 2);
}
