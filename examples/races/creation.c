// The limit is set when the first worker is there already.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on limit
#include <pthread.h>
int limit;

void *worker(void *unused)
{
    return limit > 3 ? &limit : 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    limit = 5;
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
