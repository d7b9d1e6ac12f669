//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: joining a thread that does not exist or was joined or detached
// Of any number of threads one may be joined twice: then the round before has joined it.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
    }
    return 0;
}
