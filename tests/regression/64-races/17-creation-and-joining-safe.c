//EXPECT: SAFE
//ARGS: --check races
// Everything that main does is before the creation or behind the join.
#include <pthread.h>
int x;

void *worker(void *unused)
{
    x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x++;
    return x;
}
