//EXPECT: UNKNOWN
//REASON: undefined
// A detached thread must not be joined.
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_join(t, 0);
}
