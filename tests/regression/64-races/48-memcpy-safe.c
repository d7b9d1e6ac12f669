//EXPECT: SAFE
//ARGS: --check races
// memcpy reads what nobody writes.
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
    memcpy(to, from, 3 * sizeof *to);
    pthread_join(t, 0);
    return to[0];
}
