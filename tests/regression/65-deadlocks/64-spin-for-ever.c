// The flag is never set: the thread spins for ever, and main waits for it.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread waiter waits
//REASON: while (!flag)
#include <pthread.h>
_Atomic int flag;
void *waiter(void *unused) { while (!flag); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_join(thread, 0);
    return 0;
}
