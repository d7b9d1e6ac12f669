//EXPECT: UNSAFE
//ARGS: --check memory
//REASON: an object is used after the end of its lifetime
// The thread of the first round may read its argument when that round is over.
#include <pthread.h>
pthread_t t[2];
int sum;
void *run(void *arg) {
    sum += *(int *)arg;
    return 0;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x = i;
        pthread_create(&t[i], 0, run, &x);
    }
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
}
