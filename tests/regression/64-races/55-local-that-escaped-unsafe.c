//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// main looks at it before.
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
    if (result == 0)
        result = 1;
    pthread_join(t, 0);
    return result;
}
