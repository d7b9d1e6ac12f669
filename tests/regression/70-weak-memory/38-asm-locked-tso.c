//EXPECT: SAFE
//ARGS: --check assertions --memory-model tso
// Assembly between a write and a read.
#include <assert.h>
#include <pthread.h>

int x, y, seen_1, seen_2;

void *first(void *unused)
{
    x = 1;
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    seen_1 = y;
    return 0;
}

void *second(void *unused)
{
    y = 1;
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
    seen_2 = x;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen_1 || seen_2);
    return 0;
}
