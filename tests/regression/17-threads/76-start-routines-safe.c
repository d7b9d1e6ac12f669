//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Start routines that take nothing, or a number, and whose result nobody looks at: the ABI gives them what they take.
#include <assert.h>
#include <pthread.h>
int sum;

void nothing(void) { sum += 1; }
int number(int n) { sum += n; return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, (void *(*)(void *))nothing, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, (void *(*)(void *))number, (void *)2L);
    pthread_join(t, 0);
    assert(sum == 3);
    return 0;
}
