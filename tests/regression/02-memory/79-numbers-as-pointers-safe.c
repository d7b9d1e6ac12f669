//EXPECT: SAFE
// A number that is passed as a pointer is a number: anything may be computed from it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int count[2];

void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;
    count[(uintptr_t)arg % 2] = id;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, (void *)(i + 2));
    void *r;
    pthread_join(t[0], &r);
    pthread_join(t[1], 0);
    assert(count[0] == 2 && count[1] == 3 && (long)r >> 1 == 1);
}
