//EXPECT: SAFE
// An _Atomic struct is read and written at once (C11, 6.2.6.1, paragraph 9; 6.5.16.1).
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};
_Atomic struct pair shared;

void *worker(void *arg)
{
    struct pair both = {1, 1};
    shared = both;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    struct pair found = shared;
    assert(found.a == found.b);
}
