//EXPECT: SAFE
//ARGS: --check deadlocks --engine explore
// Whatever the value is, a thread goes one of the two ways, and takes the locks in one order: nobody waits in a circle.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int passed;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    passed++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *work(void *arg)
{
    (void)arg;
    if (__VERIFIER_nondet_int() < 7)
        both(&a, &b);
    else
        both(&a, &b);
    return 0;
}
int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
