//EXPECT: UNSAFE
// A function that returns a structure reads its fields one after the other.
#include <assert.h>
#include <pthread.h>

struct pair { int a, b; } shared;

struct pair get(void) { return shared; }

void *worker(void *arg)
{
    shared.a = 1;
    shared.b = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    struct pair mine = get();
    assert(mine.a >= mine.b);
}
