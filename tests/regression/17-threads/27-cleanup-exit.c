//EXPECT: UNKNOWN
//REASON: cleanup handlers
// An exit that must run cleanup handlers is not modelled.
#include <assert.h>
#include <pthread.h>

void handler(void *arg) { assert(0); }

int main(void)
{
    pthread_cleanup_push(handler, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}
