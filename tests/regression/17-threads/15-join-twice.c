//EXPECT: UNKNOWN
//REASON: undefined
// A thread must not be joined twice.
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
}
