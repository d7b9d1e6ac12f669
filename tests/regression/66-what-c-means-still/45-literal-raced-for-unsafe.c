//EXPECT: UNSAFE
//ARGS: --check assertions,undefined,races
//REASON: A data race can happen on (struct box){...}.value
// A compound literal is an object like any other.
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
    shared->value = 2;
    pthread_join(thread, 0);
    return 0;
}
