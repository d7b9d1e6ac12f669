//EXPECT: SAFE
//ARGS: --check undefined
#include <pthread.h>

static void *worker(void *arg) {
    *(int *)arg = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int result;
    pthread_create(&thread, NULL, worker, &result);
    pthread_join(thread, NULL);
    return result == 1;
}
