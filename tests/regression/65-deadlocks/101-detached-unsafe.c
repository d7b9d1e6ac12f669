//EXPECT: UNSAFE
//ARGS: --check deadlocks
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

void *worker(void *unused)
{
    done = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    while (!done);
}
