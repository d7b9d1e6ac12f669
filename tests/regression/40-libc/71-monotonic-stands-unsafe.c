//EXPECT: UNSAFE
// CLOCK_MONOTONIC may stand still between two looks.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(a.tv_sec != b.tv_sec || a.tv_nsec != b.tv_nsec);
}
