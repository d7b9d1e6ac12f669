//EXPECT: UNKNOWN
//REASON: not timed
// mtx_timedlock needs a mutex that supports it.
#include <threads.h>
#include <time.h>

mtx_t m;

int main(void)
{
    struct timespec until = {0, 0};
    mtx_init(&m, mtx_plain);
    mtx_timedlock(&m, &until);
}
