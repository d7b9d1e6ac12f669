//EXPECT: UNSAFE
//REASON: mtx_trylock(&lock) == thrd_busy
// One's own recursive mutex is locked again (or not: it may fail without cause).
#include <assert.h>
#include <threads.h>
mtx_t lock;

int main(void)
{
    mtx_init(&lock, mtx_plain | mtx_recursive);
    mtx_lock(&lock);
    assert(mtx_trylock(&lock) == thrd_busy);
    mtx_unlock(&lock);
    return 0;
}
