//EXPECT: UNSAFE
// A structure is copied field by field.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; } shared, other = {1, 1};

void *worker(void *arg)
{
    shared = other;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    struct pair mine = shared;
    assert(mine.a == mine.b);
}
