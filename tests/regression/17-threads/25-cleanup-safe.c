//EXPECT: SAFE
// A popped cleanup handler runs only if it is told to.
#include <assert.h>
#include <pthread.h>

int count;

void handler(void *arg) { count++; }

int main(void)
{
    pthread_cleanup_push(handler, 0);
    pthread_cleanup_pop(0);
    assert(count == 0);
    pthread_cleanup_push(handler, 0);
    pthread_cleanup_pop(1);
    assert(count == 1);
}
