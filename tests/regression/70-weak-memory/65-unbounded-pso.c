//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
// In partial order, too.
#include <assert.h>
#include <pthread.h>

volatile int x, y, seen;

void *writer(void *unused)
{
    for (;;) {
        x = 1;
        seen = y;
        x = 2;
        x = 0;
    }
    return 0;
}

void *reader(void *unused)
{
    int now = x;
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
