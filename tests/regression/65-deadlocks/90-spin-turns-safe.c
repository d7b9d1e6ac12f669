// The turn that main waits for comes.
//EXPECT: SAFE
//ARGS: --check deadlocks
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic int turn;
void *waiter(void *unused) { while (turn != 1) sched_yield(); turn = 2; return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    turn = 1; while (turn != 2) sched_yield();
    pthread_join(thread, 0);
    return 0;
}
