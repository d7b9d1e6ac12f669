//EXPECT: SAFE
//ARGS: --check races
// The thread gets the address of a local; main looks at it when it has been joined.
#include <pthread.h>

void *worker(void *result)
{
    *(int *)result = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, worker, &result);
    pthread_join(t, 0);
    return result;
}
