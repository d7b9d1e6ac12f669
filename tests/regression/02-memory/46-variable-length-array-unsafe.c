//EXPECT: UNSAFE
// Another thread can write into an array of variable length.
#include <assert.h>
#include <pthread.h>

int n = 2;

void *worker(void *arg)
{
    ((int *)arg)[1] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    n++;
    int a[n];
    a[1] = 0;
    pthread_create(&t, 0, worker, a);
    assert(a[1] == 0);
}
