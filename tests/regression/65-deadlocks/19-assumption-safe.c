//EXPECT: SAFE
//ARGS: --check deadlocks
// An assumption that does not hold ends the program: nobody waits for ever.
#include <pthread.h>
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

void *worker(void *unused)
{
    __VERIFIER_assume(__VERIFIER_nondet_bool());
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
