//EXPECT: SAFE
// cnd_timedwait holds the mutex again when it returns.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;
cnd_t c;
int x;

int worker(void *arg)
{
    mtx_lock(&m);
    x = 1;
    x = 0;
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec until = {0, 0};
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, worker, 0);
    mtx_lock(&m);
    int r = cnd_timedwait(&c, &m, &until);
    assert(r == thrd_success || r == thrd_timedout);
    assert(x == 0);
    mtx_unlock(&m);
}
