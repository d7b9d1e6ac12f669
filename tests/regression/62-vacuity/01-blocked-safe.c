//EXPECT: SAFE
//VACUOUS: this is what is tested
//REASON: Never reached: 
// A mutex of the normal kind that is locked twice blocks for ever (POSIX): the assertion is never reached.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    assert(0);
}
