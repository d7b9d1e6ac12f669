//EXPECT: UNSAFE
// A detached thread can be late.
#include <assert.h>
#include <threads.h>
#include <time.h>

_Atomic int done;

int worker(void *arg)
{
    done = 1;
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec second = {1, 0};
    thrd_create(&t, worker, 0);
    assert(thrd_detach(t) == thrd_success);
    thrd_sleep(&second, 0);
    assert(done);
}
