//EXPECT: UNKNOWN
//REASON: inside an atomic section
// The thread may have ended before the section begins: `main` goes on, and the assertion fails.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void *nothing(void *unused) { return 0; }

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, nothing, 0);
        __VERIFIER_atomic_begin();
        pthread_join(t, 0);
        __VERIFIER_atomic_end();
        assert(0);
    }
}
