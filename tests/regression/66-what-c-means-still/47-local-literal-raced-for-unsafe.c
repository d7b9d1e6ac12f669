//EXPECT: UNSAFE
//ARGS: --check assertions,undefined,races
//REASON: A data race can happen on (int){...}
// One in a function, handed to a thread.
#include <pthread.h>

void *t(void *p)
{
    *(int *)p = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *mine = &(int){4};
    pthread_create(&thread, 0, t, mine);
    *mine = 2;
    pthread_join(thread, 0);
    return 0;
}
