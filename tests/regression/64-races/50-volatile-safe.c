//EXPECT: SAFE
//ARGS: --check races
// Atomic accesses are synchronisation.
#include <pthread.h>
_Atomic int x;

void *worker(void *unused)
{
    x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    seen = x;
    pthread_join(t, 0);
    return seen;
}
