//EXPECT: UNSAFE
// Another thread exchanges the function.
#include <assert.h>
#include <pthread.h>

int one(void) { return 1; }
int two(void) { return 2; }
int (*f)(void) = one;

void *worker(void *arg)
{
    f = two;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(f() == 1);
}
