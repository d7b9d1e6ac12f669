//EXPECT: SAFE
//ARGS: --check races
// Each thread has an object of its own.
#include <pthread.h>
_Thread_local int x;
int *_Atomic p;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    p = &x;
    pthread_create(&t, 0, worker, 0);
    x++;
    pthread_join(t, 0);
    return x;
}
