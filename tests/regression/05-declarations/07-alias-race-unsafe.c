//EXPECT: UNSAFE
// Two threads count by two names of one variable: an increment can be lost.
#include <assert.h>
#include <pthread.h>

int counter;
extern int total __attribute__((alias("counter")));

void *worker(void *arg)
{
    total++;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    counter++;
    pthread_join(t, 0);
    assert(counter == 2);
}
