// Who counts its rounds has something to do, and ends.
//EXPECT: SAFE
//ARGS: --check deadlocks
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic int f;
void *waiter(void *unused) { for (int i = 0; i < 100 && !f; i++) sched_yield(); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    
    pthread_join(thread, 0);
    return 0;
}
