//EXPECT: UNSAFE
//REASON: a != b
// Other seeds may give the same number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int a, b;
void *run(void *arg) {
    unsigned seed = arg == &a ? 1 : 2;
    *(int *)arg = rand_r(&seed) % 2;
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, &a);
    pthread_create(&u, 0, run, &b);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a != b);
}
