//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Whether ids are equal means what it says; other members of the record are numbers like any other.
#include <assert.h>
#include <pthread.h>
struct worker {
    pthread_t id;
    long done;
};

void *work(void *arg) {
    struct worker *me = arg;
    me->done = me->done * 2 + 1;
    return 0;
}

int main(void) {
    struct worker a = {.done = 1}, b = {.done = 2};
    pthread_create(&a.id, 0, work, &a);
    pthread_create(&b.id, 0, work, &b);
    assert(a.id != b.id && a.id != pthread_self() && a.id != 0);
    pthread_join(a.id, 0);
    pthread_join(b.id, 0);
    assert(a.done + b.done == 8);
    return 0;
}
