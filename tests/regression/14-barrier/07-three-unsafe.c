//EXPECT: UNSAFE
// With three threads at a barrier for two, one may be left over in the first round.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int x;

void *setter(void *arg)
{
    x = 1;
    pthread_barrier_wait(&b);
    return 0;
}

void *other(void *arg)
{
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, setter, 0);
    pthread_create(&u, 0, other, 0);
    pthread_barrier_wait(&b);
    assert(x == 1);
}
