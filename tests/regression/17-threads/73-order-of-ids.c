//EXPECT: UNKNOWN
//REASON: what is computed from the id of a thread
// That the thread that is created first has the smaller id is true nowhere but in our model.
#include <assert.h>
#include <pthread.h>
struct worker {
    pthread_t id;
    long done;
};

void *work(void *arg) {
    struct worker *me = arg;
    me->done++;
    return 0;
}

int main(void) {
    struct worker a = {0}, b = {0};
    pthread_create(&a.id, 0, work, &a);
    pthread_create(&b.id, 0, work, &b);
    assert(a.id < b.id);
    return 0;
}
