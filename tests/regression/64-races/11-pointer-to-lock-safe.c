//EXPECT: SAFE
//ARGS: --check races
// Both use one lock and one object, by pointers.
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
struct task { pthread_mutex_t *lock; int *data; };

void *worker(void *argument)
{
    struct task *task = argument;
    pthread_mutex_lock(task->lock);
    *task->data += 1;
    pthread_mutex_unlock(task->lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct task one = { &m, &x }, two = { &m, &x };
    pthread_create(&a, 0, worker, &one);
    pthread_create(&b, 0, worker, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
