//EXPECT: UNSAFE
// Nothing is known of the time itself.
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t a = time(0), b = time(0);
    assert(a == b);
}
