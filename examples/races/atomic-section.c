// One thread is still in its atomic section when main looks without one.
//EXPECT: UNSAFE
//ARGS: --check races
//REASON: A data race can happen on tickets
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int tickets;

void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    tickets++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    return tickets;
}
