//EXPECT: SAFE
// tss_get, tss_set and the destructor.
#include <assert.h>
#include <threads.h>

tss_t key;
int a;

void destroy(void *value) { *(int *)value = 1; }

int worker(void *arg)
{
    assert(tss_get(key) == 0);
    assert(tss_set(key, &a) == thrd_success);
    assert(tss_get(key) == &a);
    return 0;
}

int main(void)
{
    thrd_t t;
    assert(tss_create(&key, destroy) == thrd_success);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    assert(a == 1);
    assert(tss_get(key) == 0);
    tss_delete(key);
}
