//EXPECT: SAFE
//ARGS: --check races
// Both accesses are in atomic sections.
#include <pthread.h>
int x;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    seen = x;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    return seen;
}
