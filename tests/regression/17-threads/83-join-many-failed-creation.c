//EXPECT: UNSAFE
//ARGS: --check undefined --creation-may-fail
//REASON: joining a thread that does not exist or was joined or detached
// Where creation fails, the handle is still that of a thread that was joined.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t = 0;
    if (pthread_create(&t, 0, worker, 0))
        return 1;
    pthread_join(t, 0);
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
    }
    return 0;
}
