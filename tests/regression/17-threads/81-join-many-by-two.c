//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: joining a thread that does not exist or was joined or detached
// Two threads join the same one: the results are undefined (POSIX, pthread_join).
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_t both;

void *worker(void *unused) { return 0; }

void *joiner(void *unused)
{
    pthread_join(both, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&both, 0, worker, 0);
        pthread_create(&t, 0, joiner, 0);
        pthread_join(both, 0);
        pthread_join(t, 0);
    }
    return 0;
}
