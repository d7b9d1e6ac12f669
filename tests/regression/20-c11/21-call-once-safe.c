//EXPECT: SAFE
// The routine runs once and has returned.
#include <assert.h>
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
int count;

void init(void) { count = count + 1; }

int worker(void *arg)
{
    call_once(&flag, init);
    assert(count == 1);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, 0);
    worker(0);
    thrd_join(t, 0);
}
