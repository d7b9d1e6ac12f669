// Both threads may find no table, and make it.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on table
#include <pthread.h>
int table;

void make(void)
{
    table = 42;
}

void *worker(void *unused)
{
    if (!table) make();
    return table ? &table : 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
