//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The address of the thread-local object has left its thread.
#include <pthread.h>
_Thread_local int x;
int *_Atomic p;

void *worker(void *unused)
{
    *p = 1;
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
