//EXPECT: SAFE
// thrd_create, thrd_join with the result, thrd_current and thrd_equal.
#include <assert.h>
#include <threads.h>

int x;
thrd_t seen;

int worker(void *arg)
{
    x = *(int *)arg;
    seen = thrd_current();
    return -7;
}

int main(void)
{
    thrd_t t;
    int n = 5, r;
    assert(thrd_create(&t, worker, &n) == thrd_success);
    assert(thrd_join(t, &r) == thrd_success);
    assert(x == 5 && r == -7);
    assert(thrd_equal(seen, t));
    assert(!thrd_equal(thrd_current(), t));
}
