// Each spins for what the other would write then.
//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread main waits
//REASON: thread other waits
#include <pthread.h>
_Atomic int mine, yours;
void *other(void *unused) { while (!mine); yours = 1; return 0; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    while (!yours);
    mine = 1;
    return 0;
}
