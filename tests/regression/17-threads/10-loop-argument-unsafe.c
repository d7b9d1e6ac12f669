//EXPECT: UNSAFE
// A pointer to the loop's counter: the thread reads it too late.
#include <assert.h>
#include <pthread.h>

int got[2];

void *worker(void *arg)
{
    int i = *(int *)arg;
    if (i < 2) got[i] = 1;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(got[0] == 1 && got[1] == 1);
}
