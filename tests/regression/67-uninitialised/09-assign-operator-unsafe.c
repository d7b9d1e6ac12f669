//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
//REASON: a variable is read before it was written: `total`
// A sum that begins nowhere, in a thread of its own.
#include <pthread.h>

static int result;

void *add(void *unused) {
    int total;
    for (int i = 0; i < 2; i++)
        total += i;
    result = total;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    return 0;
}
