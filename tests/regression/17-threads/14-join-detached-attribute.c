//EXPECT: UNKNOWN
//REASON: undefined
// Created as detached: it must not be joined.
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, worker, 0);
    pthread_join(t, 0);
}
