//EXPECT: UNKNOWN
//ARGS: --check assertions --memory-model tso
//REASON: more than 32 writes in a store buffer
// Elements of an array are not forgotten: no bound of a buffer is a part of a proof.
#include <assert.h>
#include <pthread.h>

volatile int x[2], y, seen;

void *writer(void *unused)
{
    for (;;) {
        x[0] = 1;
        seen = y;
        x[0] = 2;
        x[0] = 0;
    }
    return 0;
}

void *reader(void *unused)
{
    int now = x[0];
    y = now;
    assert(now >= 0 && now <= 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(b, 0);
    return 0;
}
