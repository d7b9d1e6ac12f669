//EXPECT: UNSAFE
// Without the join the thread may not have run; thrd_yield promises nothing.
#include <assert.h>
#include <threads.h>

int x;

int worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, 0);
    thrd_yield();
    assert(x == 1);
}
