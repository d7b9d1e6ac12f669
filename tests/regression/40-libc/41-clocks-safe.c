//EXPECT: SAFE
// Clocks write where they are told and nowhere else; a duration that is none is refused.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct { int before; struct timeval v; struct timespec s; time_t t; int behind; } x = {.before = 1, .behind = 2};

int main(void)
{
    struct timespec wrong = {0, 1000000000}, right = {0, 999999999};
    assert(gettimeofday(&x.v, 0) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &x.s) == 0);
    time(&x.t);
    clock();
    assert(x.before == 1 && x.behind == 2);
    assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
    assert(nanosleep(&right, 0) == 0);
    assert(clock_nanosleep(CLOCK_REALTIME, 0, &wrong, 0) == EINVAL);
    assert(clock_nanosleep(CLOCK_REALTIME, 0, &right, 0) == 0);
    assert(sleep(1) == 0 && usleep(1) == 0);
}
