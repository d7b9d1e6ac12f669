//EXPECT: UNSAFE
// The first that comes need not be main.
#include <assert.h>
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
thrd_t who;

void init(void) { who = thrd_current(); }

int worker(void *arg)
{
    call_once(&flag, init);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, 0);
    call_once(&flag, init);
    assert(thrd_equal(who, thrd_current()));
}
