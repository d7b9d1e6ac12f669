//EXPECT: SAFE
//ARGS: --check assertions --memory-model pso
// The pointer is released.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    int more;
};
struct node *volatile published;

void *writer(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->value = 7;
    node->more = 8;
    __atomic_store_n(&published, node, __ATOMIC_RELEASE);
    return 0;
}

void *reader(void *unused)
{
    struct node *node = published;
    if (node) {
        assert(node->value == 7);
        assert(node->more == 8);
    }
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
