//EXPECT: UNSAFE
// Each thread is joined once, and the second round fails the assertion.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int rounds;

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
        rounds++;
        assert(rounds < 2);
    }
    return 0;
}
