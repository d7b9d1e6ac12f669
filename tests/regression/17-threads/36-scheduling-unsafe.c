//EXPECT: UNSAFE
// Scheduling decides nothing: priorities and yielding are no lock, an increment can be lost.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char stack[65536];
cpu_set_t set;
int x;

void *worker(void *arg)
{
    int old = x;
    sched_yield();
    pthread_yield();
    x = old + 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    struct sched_param low = {1};
    pthread_attr_init(&a);
    if (pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) || pthread_attr_setstack(&a, stack, sizeof stack)
        || pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED)
        || pthread_attr_setschedpolicy(&a, SCHED_FIFO) || pthread_attr_setschedparam(&a, &low)
        || pthread_attr_setaffinity_np(&a, sizeof set, &set))
        return 0;
    pthread_create(&t, &a, worker, 0);
    if (pthread_setname_np(t, "worker") || pthread_setschedparam(t, SCHED_FIFO, &low)
        || pthread_setschedprio(t, 1) || pthread_setaffinity_np(t, sizeof set, &set)
        || pthread_setconcurrency(1) || pthread_sigmask(SIG_BLOCK, 0, 0))
        return 0;
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
}
