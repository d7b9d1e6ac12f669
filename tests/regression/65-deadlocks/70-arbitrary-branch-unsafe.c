//EXPECT: UNSAFE
//ARGS: --check deadlocks --engine explore
// One thread goes the one way, the other the other way: each holds what the other one waits for.
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
        both(&b, &a);
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
