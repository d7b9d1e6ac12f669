//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: a thread whose start routine is no function
// Nobody gives the second parameter a value.
#include <pthread.h>

void *worker(void *arg, int count) { return count ? arg : 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, (void *(*)(void *))worker, 0);
    pthread_join(t, 0);
    return 0;
}
