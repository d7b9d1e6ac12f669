//EXPECT: UNSAFE
// The error is reached only if every attribute is kept and each function answers as POSIX says.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#define NEED(condition) if (!(condition)) return 0

pthread_rwlock_t l;

int main(void)
{
    int v;
    struct timespec until = {1, 0}, wrong = {1, -1};
    pthread_rwlockattr_t a;
    NEED(pthread_rwlockattr_init(&a) == 0);
    NEED(pthread_rwlockattr_getpshared(&a, &v) == 0 && v == PTHREAD_PROCESS_PRIVATE);
    NEED(pthread_rwlockattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    NEED(pthread_rwlockattr_getpshared(&a, &v) == 0 && v == PTHREAD_PROCESS_SHARED);
    NEED(pthread_rwlockattr_setkind_np(&a, 9) == EINVAL);
    NEED(pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
    NEED(pthread_rwlockattr_getkind_np(&a, &v) == 0 && v == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    NEED(pthread_rwlock_init(&l, &a) == 0);
    NEED(pthread_rwlockattr_destroy(&a) == 0);
    NEED(pthread_rwlock_tryrdlock(&l) == 0 && pthread_rwlock_tryrdlock(&l) == 0);
    NEED(pthread_rwlock_timedwrlock(&l, &wrong) == EINVAL);
    NEED(pthread_rwlock_timedwrlock(&l, &until) == ETIMEDOUT);
    NEED(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_unlock(&l) == 0);
    NEED(pthread_rwlock_timedwrlock(&l, &until) == 0);
    NEED(pthread_rwlock_tryrdlock(&l) == EBUSY);
    NEED(pthread_rwlock_unlock(&l) == 0);
    NEED(pthread_rwlock_destroy(&l) == 0);
    assert(0);
}
