//EXPECT: SAFE
//ARGS: --check assertions,undefined,races
// It lives as long as its block, so the thread may write it, and `main` may read it then.
#include <assert.h>
#include <pthread.h>
int *also = &(int){4};

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
    *also = 2;
    pthread_join(thread, 0);
    assert(*mine == 1 && *also == 2);
    return 0;
}
