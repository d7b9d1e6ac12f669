//EXPECT: SAFE
// Sizes and alignments of the library's types are the platform's.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>

struct pair { char c; pthread_mutex_t m; char d; sem_t s; };

int main(void)
{
    assert(sizeof(pthread_mutex_t) == 40 && sizeof(pthread_cond_t) == 48 && sizeof(pthread_rwlock_t) == 56);
    assert(sizeof(pthread_barrier_t) == 32 && sizeof(sem_t) == 32 && sizeof(pthread_attr_t) == 56);
    assert(sizeof(pthread_mutexattr_t) == 4 && sizeof(pthread_condattr_t) == 4 && sizeof(pthread_once_t) == 4);
    assert(sizeof(mtx_t) == 40 && sizeof(cnd_t) == 48 && sizeof(once_flag) == 4 && sizeof(pthread_t) == 8);
    assert(offsetof(struct pair, m) == 8 && offsetof(struct pair, s) == 56 && sizeof(struct pair) == 88);
}
