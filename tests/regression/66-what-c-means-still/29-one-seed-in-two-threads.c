//EXPECT: UNKNOWN
//REASON: `rand_r` with the same seed in several threads
// `rand_r` is a function of its seed, in whatever thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int a, b;
void *run(void *arg) {
    unsigned seed = 42;
    *(int *)arg = rand_r(&seed);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, &a);
    pthread_create(&u, 0, run, &b);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a == b);
}
