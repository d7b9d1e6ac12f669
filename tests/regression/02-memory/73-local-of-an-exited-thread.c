//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// A local of a thread that has ended with `pthread_exit`, far from the function that declares it.
#include <pthread.h>

int *p;

static void leave(void) { pthread_exit(0); }

void *worker(void *arg)
{
    int x = 1;
    p = &x;
    leave();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *p;
}
