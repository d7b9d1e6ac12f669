//EXPECT: UNSAFE
// The destructor runs only if a value is set.
#include <assert.h>
#include <threads.h>

tss_t key;
int a;

void destroy(void *value) { a = 1; }

int worker(void *arg) { return 0; }

int main(void)
{
    thrd_t t;
    tss_create(&key, destroy);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    assert(a == 1);
}
