//EXPECT: UNSAFE
// cnd_timedwait can time out.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;
cnd_t c;

int main(void)
{
    struct timespec until = {0, 0};
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    mtx_lock(&m);
    assert(cnd_timedwait(&c, &m, &until) == thrd_success);
}
