//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The join comes too late.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    x++;
    pthread_join(t, 0);
    return x;
}
