//EXPECT: SAFE
// Microseconds and nanoseconds are in their range; nanosleep checks them.
#include <assert.h>
#include <errno.h>
#include <sys/time.h>
#include <time.h>

int main(void)
{
    struct timeval v;
    struct timespec s, wrong = {0, -1};
    time_t now;
    gettimeofday(&v, 0);
    assert(v.tv_usec >= 0 && v.tv_usec < 1000000);
    clock_gettime(CLOCK_REALTIME, &s);
    assert(s.tv_nsec >= 0 && s.tv_nsec < 1000000000);
    time_t told = time(&now);
    assert(told == now);
    assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
}
