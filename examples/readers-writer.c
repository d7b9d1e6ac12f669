//EXPECT: SAFE
// A structure with two fields that belong together, one writer, two readers and
// a read-write lock.
//
// Shows: readers run at the same time, but never see what is half written.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
struct {
    int low, high;
} range = {1, 2};

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    int low = range.low;
    int high = range.high;
    pthread_rwlock_unlock(&lock);
    assert(low < high);
    return 0;
}

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    range.low = 5;
    range.high = 7;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    reader(0);
    pthread_join(r, 0);
    pthread_join(w, 0);
}
