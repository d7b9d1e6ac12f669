// The table is made once; who comes later waits for it.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `table` is written by one thread only, and not once another one has read it
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int table;

void make(void)
{
    table = 42;
}

void *worker(void *unused)
{
    pthread_once(&once, make);
    return table ? &table : 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    return 0;
}
