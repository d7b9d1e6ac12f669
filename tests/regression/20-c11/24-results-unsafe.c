//EXPECT: UNSAFE
// The error is reached only if each of these functions does what C11 says.
#include <assert.h>
#include <threads.h>

#define NEED(condition) if (!(condition)) return 0

mtx_t m;
cnd_t c;
tss_t key;
int a;

int worker(void *arg)
{
    NEED(tss_get(key) == 0);
    NEED(tss_set(key, &a) == thrd_success && tss_get(key) == &a);
    thrd_exit(7);
    return 8;
}

int main(void)
{
    thrd_t t;
    int result;
    NEED(tss_create(&key, 0) == thrd_success);
    NEED(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
    NEED(thrd_create(&t, worker, 0) == thrd_success);
    NEED(thrd_join(t, &result) == thrd_success && result == 7);
    NEED(mtx_lock(&m) == thrd_success && cnd_signal(&c) == thrd_success);
    NEED(mtx_unlock(&m) == thrd_success);
    cnd_destroy(&c);
    mtx_destroy(&m);
    NEED(tss_get(key) == 0);
    tss_delete(key);
    assert(0);
}
