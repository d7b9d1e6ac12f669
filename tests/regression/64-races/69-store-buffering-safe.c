//EXPECT: SAFE
//ARGS: --check races
// Both orders are seq_cst: one of the two sees what the other has written.
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
    if (!mine)
        data = 2;
    pthread_join(t, 0);
    return data;
}
