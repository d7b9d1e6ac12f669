//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// memcpy reads what the other thread writes.
#include <pthread.h>
#include <string.h>
int from[4], to[4];

void *worker(void *unused)
{
    from[3] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    memcpy(to, from, 4 * sizeof *to);
    pthread_join(t, 0);
    return to[0];
}
