//EXPECT: UNKNOWN
//ARGS: --check deadlocks
//REASON: deadlocks where writers come first
// The reader takes its lock twice; between, the writer begins to wait, and the second time waits for the writer.
#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t lock;

void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
