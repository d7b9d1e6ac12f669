//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The second writes both of them.
#include <pthread.h>
#include <string.h>
char c[2];

void *worker(void *unused)
{
    c[0] = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    memset(c, 0, 2);
    pthread_join(t, 0);
    return c[0];
}
