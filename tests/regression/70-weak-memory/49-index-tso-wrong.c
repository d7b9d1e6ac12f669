//EXPECT: UNSAFE
//ARGS: --check assertions --memory-model tso
// The other element.
#include <assert.h>
#include <pthread.h>

volatile int cells[2], index;

void *writer(void *unused)
{
    int i = index;
    cells[i] = 1;
    cells[1 - i] = 2;
    assert(cells[i] == 1 || cells[i] == 3);
    assert(cells[i] == 2 || cells[1 - i] == 3);
    return 0;
}

void *other(void *unused)
{
    index = 1;
    cells[0] = 3;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
