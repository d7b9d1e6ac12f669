// The limit is set before the workers are created.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `limit` is only read; it is written before they begin
#include <pthread.h>
int limit;

void *worker(void *unused)
{
    return limit > 3 ? &limit : 0;
}

int main(void)
{
    pthread_t first, second;
    limit = 5;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
