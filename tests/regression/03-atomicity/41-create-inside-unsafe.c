//EXPECT: UNSAFE
// The new thread never sees what the section writes in between.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *look(void *unused)
{
    assert(x == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_create(&t, 0, look, 0);
    x = 2;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
}
