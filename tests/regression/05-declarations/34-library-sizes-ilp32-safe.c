//EXPECT: SAFE
//ARGS: --data-model ilp32
// glibc's sizes and alignments for 32-bit x86.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct pair { char c; pthread_mutex_t m; };

int main(void)
{
    assert(sizeof(pthread_mutex_t) == 24 && sizeof(pthread_cond_t) == 48 && sizeof(pthread_rwlock_t) == 32);
    assert(sizeof(pthread_barrier_t) == 20 && sizeof(sem_t) == 16 && sizeof(pthread_attr_t) == 36);
    assert(sizeof(pthread_t) == 4 && sizeof(struct pair) == 28);
}
