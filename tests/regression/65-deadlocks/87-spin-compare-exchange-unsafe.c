// Nobody gives the lock back: the exchange fails for ever.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
_Atomic int l; int x;
void *waiter(void *unused) { int e = 0; while (!atomic_compare_exchange_strong(&l, &e, 1)) e = 0; x++; return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    int e = 0; while (!atomic_compare_exchange_strong(&l, &e, 1)) e = 0; x++;
    pthread_join(thread, 0);
    return 0;
}
