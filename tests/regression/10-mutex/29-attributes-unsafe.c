//EXPECT: UNSAFE
// The default type is not recursive.
#include <assert.h>
#include <pthread.h>

int main(void)
{
    int v;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_gettype(&a, &v);
    assert(v == PTHREAD_MUTEX_RECURSIVE);
}
