//EXPECT: SAFE
//ARGS: --check deadlocks
// A thread may be detached before it has begun: it begins all the same.
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

void *worker(void *unused)
{
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    while (!done);
}
