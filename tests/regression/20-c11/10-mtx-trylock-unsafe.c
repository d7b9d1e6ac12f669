//EXPECT: UNSAFE
// mtx_trylock may fail without cause (C17 7.26.4.5).
#include <assert.h>
#include <threads.h>

mtx_t m;

int main(void)
{
    mtx_init(&m, mtx_plain);
    assert(mtx_trylock(&m) == thrd_success);
}
