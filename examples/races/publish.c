// A plain flag says that the message is there.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on ready
#include <pthread.h>
#include <stdatomic.h>
int ready;
int message;

void *sender(void *unused)
{
    message = 42;
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, sender, 0);
    if (ready)
        return message;
    return 0;
}
