// The flag is 1 for a moment only: who looks too late spins for ever.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread waiter waits
#include <pthread.h>
volatile int flag;
void *waiter(void *unused) { do ; while (flag != 1); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    flag = 1;
    flag = 2;
    pthread_join(thread, 0);
    return 0;
}
