//EXPECT: SAFE
//VACUOUS: this is what is tested
//REASON: Never reached: 
// The thread never sees the flag, which nobody sets.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int flag;

void *look(void *unused)
{
    if (flag)
        assert(flag == 2);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    assert(flag == 0);
}
