//EXPECT: SAFE
// mtx_timedlock gets the mutex or times out.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;
int inside;

int worker(void *arg)
{
    struct timespec until = {0, 0};
    int r = mtx_timedlock(&m, &until);
    assert(r == thrd_success || r == thrd_timedout);
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
    mtx_init(&m, mtx_timed);
    thrd_create(&t, worker, 0);
    worker(0);
    thrd_join(t, 0);
}
