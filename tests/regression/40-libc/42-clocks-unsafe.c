//EXPECT: UNSAFE
// The error is reached only if clocks can show these times, and a wrong duration is refused.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/time.h>
#include <time.h>

#define NEED(condition) if (!(condition)) return 0

int main(void)
{
    struct timeval v;
    struct timespec s, wrong = {0, -1}, right = {1, 0};
    NEED(gettimeofday(&v, 0) == 0 && v.tv_usec == 12);
    NEED(clock_gettime(CLOCK_REALTIME, &s) == 0 && s.tv_nsec == 34);
    NEED(clock() == 56);
    NEED(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
    NEED(clock_nanosleep(CLOCK_REALTIME, 0, &wrong, 0) == EINVAL);
    NEED(clock_nanosleep(CLOCK_REALTIME, 0, &right, 0) == 0);
    assert(0);
}
