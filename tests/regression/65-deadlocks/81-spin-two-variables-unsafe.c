// One of two flags is never set.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
volatile int a, b;
void *waiter(void *unused) { while (a != 1 || b != 1); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    a = 1;
    pthread_join(thread, 0);
    return 0;
}
