//EXPECT: UNSAFE
// Joining finds the right one among threads of two kinds.
#include <assert.h>
#include <pthread.h>

void *first(void *arg) { return (void *)1; }
void *second(void *arg) { return (void *)2; }
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    pthread_t a, b;
    void *one = 0, *two = 0;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&a, 0, first, 0);
        pthread_create(&b, 0, second, 0);
        pthread_join(b, &two);
        pthread_join(a, &one);
    }
    assert((long)one != 1 || (long)two != 2);
}
