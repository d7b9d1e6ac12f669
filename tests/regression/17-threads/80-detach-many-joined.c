//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: detaching a thread that does not exist or was joined or detached
// Two variables have the id of one thread: it is joined by one and detached by the other.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t, copy;
    while (__VERIFIER_nondet_int()) {
        pthread_create(&t, 0, worker, 0);
        copy = t;
        pthread_join(t, 0);
        pthread_detach(copy);
    }
    return 0;
}
