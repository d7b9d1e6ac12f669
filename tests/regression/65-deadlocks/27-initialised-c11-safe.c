//EXPECT: SAFE
//ARGS: --check deadlocks
// As with POSIX: a condition variable on the heap that `cnd_init` initialises.
#include <stdlib.h>
#include <threads.h>

struct box {
    mtx_t lock;
    cnd_t full;
    int count;
};

int put(void *arg) {
    struct box *box = arg;
    mtx_lock(&box->lock);
    box->count = 1;
    cnd_signal(&box->full);
    mtx_unlock(&box->lock);
    return 0;
}

int main(void) {
    struct box *box = malloc(sizeof *box);
    mtx_init(&box->lock, mtx_plain);
    cnd_init(&box->full);
    box->count = 0;
    thrd_t producer;
    thrd_create(&producer, put, box);
    mtx_lock(&box->lock);
    while (!box->count) cnd_wait(&box->full, &box->lock);
    mtx_unlock(&box->lock);
    thrd_join(producer, 0);
    free(box);
    return 0;
}
