//EXPECT: SAFE
//VACUOUS: another thread ends the program
// exit ends the program, in every thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg)
{
    exit(1);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(0);
}
