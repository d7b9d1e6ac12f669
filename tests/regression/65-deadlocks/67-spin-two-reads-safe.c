// Two reads may be of different moments: the loop can end though a and b are never 1 together, so it is no wait for that.
//EXPECT: SAFE
//ARGS: --check deadlocks
#include <pthread.h>
volatile int a = 1, b;
void *waiter(void *unused) { while (a != 1 || b != 1); return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    a = 0;
    b = 1;
    return 0;
}
