//EXPECT: UNKNOWN
//ARGS: --check assertions --memory-model tso
//REASON: more than 32 writes in a store buffer
// No bound of a buffer is a part of a proof.
#include <assert.h>
#include <pthread.h>

volatile int x, y, seen;

void *writer(void *unused)
{
    for (;;) {
        x = 1;
        seen = y;
        x = 0;
    }
    return 0;
}

void *reader(void *unused)
{
    y = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x < 2);
    return 0;
}
