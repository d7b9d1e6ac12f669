//EXPECT: UNSAFE
// The flag is set too early.
#include <assert.h>
#include <pthread.h>

int flag, data;

void *worker(void *arg)
{
    flag = 1;
    data = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!flag) {}
    assert(data == 1);
}
