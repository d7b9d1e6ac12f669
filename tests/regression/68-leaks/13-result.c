//EXPECT: SAFE
//ARGS: --check leaks
// The result of a thread is handed over by joining it.
#include <pthread.h>
#include <stdlib.h>


void *worker(void *unused) { return malloc(4); }

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    free(result);
    return 0;
}
