//EXPECT: SAFE
//ARGS: --check races
// Characters that lie side by side are memory locations of their own.
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
    memset(c + 1, 0, 1);
    pthread_join(t, 0);
    return c[0];
}
