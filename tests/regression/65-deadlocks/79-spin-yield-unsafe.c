// Who yields while it spins for what nobody writes hangs, too.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic int flag;
void *waiter(void *unused) { while (!atomic_load(&flag)) sched_yield(); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    
    pthread_join(thread, 0);
    return 0;
}
