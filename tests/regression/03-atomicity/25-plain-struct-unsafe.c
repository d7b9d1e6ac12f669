//EXPECT: UNSAFE
// A plain struct is copied member by member.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};
struct pair shared;

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
