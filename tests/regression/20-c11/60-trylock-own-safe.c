//EXPECT: SAFE
// C11 7.26.4.5: if the mutex is already locked, `mtx_trylock` returns at once. Other than for `mtx_lock`, nothing forbids that the caller has it.
#include <assert.h>
#include <threads.h>
mtx_t lock;

int main(void)
{
    mtx_init(&lock, mtx_plain);
    mtx_lock(&lock);
    assert(mtx_trylock(&lock) == thrd_busy);
    mtx_unlock(&lock);
    return 0;
}
