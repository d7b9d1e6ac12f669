// Who waits goes on only when there is a message.
//EXPECT: SAFE
//ARGS: --check races --explain
//REASON: `ready` is protected by `lock`
//REASON: `message` is written by one thread only, and not once another one has read it
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t there = PTHREAD_COND_INITIALIZER;
int ready, message;

void *sender(void *unused)
{
    message = 42;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&there);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, sender, 0);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&there, &lock);
    pthread_mutex_unlock(&lock);
    return message;
}
