//EXPECT: SAFE
// A mutex in allocated memory.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t m;
    int n;
};

void *worker(void *arg)
{
    struct counter *c = arg;
    pthread_mutex_lock(&c->m);
    c->n++;
    pthread_mutex_unlock(&c->m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct counter *c = malloc(sizeof *c);
    if (!c) return 0;
    pthread_mutex_init(&c->m, 0);
    c->n = 0;
    pthread_create(&t, 0, worker, c);
    worker(c);
    pthread_join(t, 0);
    assert(c->n == 2);
    pthread_mutex_destroy(&c->m);
    free(c);
}
