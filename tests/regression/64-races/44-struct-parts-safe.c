//EXPECT: SAFE
//ARGS: --check races
// Members of a struct are memory locations of their own.
#include <pthread.h>
struct point { int x, y; } p;

void *worker(void *unused)
{
    p.x = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    struct point q;
    pthread_create(&t, 0, worker, 0);
    q.y = p.y;
    pthread_join(t, 0);
    return q.y;
}
