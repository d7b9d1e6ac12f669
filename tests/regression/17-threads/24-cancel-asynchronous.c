//EXPECT: UNKNOWN
//REASON: asynchronous cancellation
// A thread that can be cancelled anywhere is not modelled.
#include <pthread.h>

void *worker(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
}
