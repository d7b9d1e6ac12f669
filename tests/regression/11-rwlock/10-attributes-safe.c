//EXPECT: SAFE
// The attributes of read-write locks are kept.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t l;

int main(void)
{
    int v;
    pthread_rwlockattr_t a;
    pthread_rwlockattr_init(&a);
    assert(pthread_rwlockattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    pthread_rwlockattr_getpshared(&a, &v);
    assert(v == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    pthread_rwlockattr_getkind_np(&a, &v);
    assert(v == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(pthread_rwlock_init(&l, &a) == 0);
    pthread_rwlockattr_destroy(&a);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
}
