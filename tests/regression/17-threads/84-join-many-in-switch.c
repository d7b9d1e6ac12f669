//EXPECT: UNSAFE
//ARGS: --check undefined
//REASON: joining a thread that does not exist or was joined or detached
// A case label leads past the creation, to the thread of the round before.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return 0; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            pthread_create(&t, 0, worker, 0);
        case 1:
            pthread_join(t, 0);
        }
    }
    return 0;
}
