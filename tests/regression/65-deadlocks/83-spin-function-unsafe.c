// A function reads what is waited for, and nobody writes all of it.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic int a, b; static int ready(void) { return a && b; }
void *waiter(void *unused) { while (!ready()) { sched_yield(); } return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    b = 1;
    pthread_join(thread, 0);
    return 0;
}
