//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The second does not look.
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int mine, theirs;

void *worker(void *unused)
{
    mine = 1;
    if (!theirs)
        data = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    theirs = 1;
    data = 2;
    pthread_join(t, 0);
    return data;
}
