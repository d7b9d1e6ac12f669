// An atomic flag says that the message is there.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `ready` is only accessed atomically
//REASON: `message` is written by one thread only, and not once another one has read it
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int message;

void *sender(void *unused)
{
    message = 42;
    atomic_store(&ready, 1);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, sender, 0);
    if (atomic_load(&ready))
        return message;
    return 0;
}
