//EXPECT: SAFE
// A cancelled thread ends at a cancellation point and nowhere else; its handlers run.
#include <assert.h>
#include <pthread.h>

int a, b, cleaned, passed;

void handler(void *arg) { cleaned = 1; }

void *worker(void *arg)
{
    pthread_cleanup_push(handler, 0);
    a = 1;
    b = 1;
    pthread_testcancel();
    passed = 1;
    pthread_cleanup_pop(0);
    return 0;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_cancel(t) == 0);
    pthread_join(t, &result);
    assert(a == 1 && b == 1);
    assert(passed ? result == 0 && !cleaned : result == PTHREAD_CANCELED && cleaned);
}
