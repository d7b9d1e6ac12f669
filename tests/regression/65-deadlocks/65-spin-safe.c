// The flag is set once, and stays so.
//EXPECT: SAFE
//ARGS: --check deadlocks
#include <pthread.h>
volatile int flag;
void *waiter(void *unused) { while (flag != 1) { } return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
