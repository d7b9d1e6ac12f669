//EXPECT: UNKNOWN
//REASON: an object is used after the end of its lifetime
// A thread's own variables are gone with it.
#include <assert.h>
#include <pthread.h>
_Thread_local int x;
int *p;
void *run(void *arg) {
    x = 5;
    p = &x;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(*p == 5);
}
