// Nobody clears the flag of a spin lock: to set it again changes nothing.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: waits
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_flag l = ATOMIC_FLAG_INIT;
void *waiter(void *unused) { while (atomic_flag_test_and_set(&l)); atomic_flag_clear(&l); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    while (atomic_flag_test_and_set(&l));
    pthread_join(thread, 0);
    return 0;
}
