//EXPECT: SAFE
// The __atomic builtins on plain objects.
#include <assert.h>

int x = 1;
int *p;

int main(void)
{
    int v, w = 5;
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 1);
    __atomic_store_n(&x, 2, __ATOMIC_RELEASE);
    __atomic_load(&x, &v, __ATOMIC_ACQUIRE);
    assert(v == 2);
    __atomic_exchange(&x, &w, &v, __ATOMIC_SEQ_CST);
    assert(x == 5 && v == 2);
    assert(__atomic_add_fetch(&x, 2, __ATOMIC_RELAXED) == 7);
    assert(__atomic_fetch_nand(&x, 3, __ATOMIC_RELAXED) == 7);
    assert(x == ~3);
    __atomic_store_n(&p, &x, __ATOMIC_RELAXED);
    assert(__atomic_exchange_n(&p, 0, __ATOMIC_SEQ_CST) == &x);
    assert(p == 0);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
