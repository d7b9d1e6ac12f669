//EXPECT: UNSAFE
// Reading an _Atomic struct and writing it back are two accesses: an update may be lost.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};
_Atomic struct pair shared;

void *worker(void *arg)
{
    struct pair both = shared;
    both.a++;
    both.b++;
    shared = both;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    struct pair found = shared;
    assert(found.a == 2);
}
