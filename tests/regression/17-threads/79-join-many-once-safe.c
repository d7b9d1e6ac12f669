//EXPECT: SAFE
//ARGS: --check assertions,undefined
// Each round joins the thread that it has created, whatever way it takes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return (void *)1; }

int main(void)
{
    pthread_t pair[2];
    while (__VERIFIER_nondet_int()) {
        void *result = 0;
        if (pthread_create(&pair[0], 0, worker, 0) != 0)
            abort();
        assert(pthread_create(&pair[1], 0, worker, 0) == 0);
        if (__VERIFIER_nondet_int())
            pthread_detach(pair[0]);
        else
            pthread_join(pair[0], 0);
        pthread_join(pair[1], &result);
        assert(result == (void *)1);
    }
    return 0;
}
