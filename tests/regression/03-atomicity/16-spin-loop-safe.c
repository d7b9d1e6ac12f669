//EXPECT: SAFE
// A loop that waits for a flag.
#include <assert.h>
#include <pthread.h>

int flag, data;

void *worker(void *arg)
{
    data = 1;
    flag = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!flag) {}
    assert(data == 1);
}
