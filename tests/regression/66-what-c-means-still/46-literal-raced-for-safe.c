//EXPECT: SAFE
//ARGS: --check assertions,undefined,races
// A compound literal is an object like any other: no race once the thread has ended.
#include <pthread.h>
struct box { int value; };
struct box *shared = &(struct box){4};

void *t(void *unused)
{
    shared->value = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    pthread_join(thread, 0);
    shared->value = 2;
    return 0;
}
