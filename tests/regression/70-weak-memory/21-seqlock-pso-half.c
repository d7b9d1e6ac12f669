//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model pso
// One of the two fences is missing.
#include <assert.h>
#include <pthread.h>

volatile unsigned version, left, right;

void *writer(void *unused)
{
    for (unsigned i = 1; i < 3; i++) {
        version++;
        left = i;
        right = i;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        version++;
    }
    return 0;
}

void *reader(void *unused)
{
    unsigned before, a, b;
    do {
        before = version;
        a = left;
        b = right;
    } while (before % 2 || before != version);
    assert(a == b);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
