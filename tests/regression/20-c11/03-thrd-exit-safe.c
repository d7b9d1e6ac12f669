//EXPECT: SAFE
//VACUOUS: the thread has ended before
// thrd_exit ends the thread with its result.
#include <assert.h>
#include <threads.h>

int worker(void *arg)
{
    thrd_exit(4);
    assert(0);
}

int main(void)
{
    thrd_t t;
    int r;
    thrd_create(&t, worker, 0);
    thrd_join(t, &r);
    assert(r == 4);
}
