//EXPECT: UNSAFE
// pthread_cleanup_pop(1) calls the handler.
#include <assert.h>
#include <pthread.h>

int count;

void handler(void *arg) { count += *(int *)arg; }

int main(void)
{
    int n = 2;
    pthread_cleanup_push(handler, &n);
    n = 3;
    pthread_cleanup_pop(1);
    assert(count == 2);
}
