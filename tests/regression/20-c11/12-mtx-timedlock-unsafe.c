//EXPECT: UNSAFE
// mtx_timedlock can time out.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;

int worker(void *arg)
{
    mtx_lock(&m);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec until = {0, 0};
    mtx_init(&m, mtx_timed);
    thrd_create(&t, worker, 0);
    assert(mtx_timedlock(&m, &until) == thrd_success);
}
