//EXPECT: SAFE
//SLOW: about 4 s in a release build, when the engine is not named
//ARGS: --engine rely-guarantee --check assertions,undefined,races
// A server that starts a worker for each request, without a bound. The workers share a
// counter of requests under way, protected by a mutex: nobody else changes it
// between a worker's two looks at it.
//
// Shows: a proof for every number of threads.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned under_way;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    unsigned before = under_way;
    under_way = before + 1;
    assert(under_way == before + 1);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, worker, 0);
}
