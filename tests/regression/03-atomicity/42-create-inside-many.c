//EXPECT: UNKNOWN
//REASON: inside an atomic section
// `main` goes on after the section, so the assertion fails; creating one of any number of threads inside
// a section is not modelled, and nothing may get lost over it.
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
        __VERIFIER_atomic_begin();
        pthread_create(&t, 0, nothing, 0);
        __VERIFIER_atomic_end();
        assert(0);
    }
}
