//EXPECT: SAFE
//ARGS: --check assertions,memory
// The twin of 17: each round waits for its thread.
#include <assert.h>
#include <pthread.h>
int sum;
void *run(void *arg) {
    sum += *(int *)arg;
    return 0;
}
int main(void) {
    for (int i = 1; i < 3; i++) {
        pthread_t t;
        int x = i;
        pthread_create(&t, 0, run, &x);
        pthread_join(t, 0);
    }
    assert(sum == 3);
}
