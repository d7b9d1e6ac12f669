//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: joining a thread that does not exist or was joined or detached
// A detached thread must not be joined (POSIX, pthread_join), also where threads are created in any number.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        pthread_detach(t);
        pthread_join(t, 0);
    }
    return 0;
}
