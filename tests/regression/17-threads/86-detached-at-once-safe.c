//EXPECT: SAFE
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int set;

void *worker(void *unused)
{
    assert(set == 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    set = 1;
    __VERIFIER_atomic_end();
    pthread_exit(0);
}
