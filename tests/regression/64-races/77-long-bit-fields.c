//EXPECT: UNKNOWN
//ARGS: --check races
//REASON: where a sequence has more than eight bytes
// To C all adjacent bit-fields are one memory location (C11 3.14, 3), so this is a race.
#include <pthread.h>
struct { unsigned long first : 60, second : 60; } bits;

void *worker(void *arg) {
    bits.first = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    bits.second = 2;
    pthread_join(t, 0);
    return 0;
}
