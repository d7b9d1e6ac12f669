//EXPECT: UNKNOWN
//REASON: the id of a thread that is gone, which may come back
// POSIX: an id may be used again after the thread was joined. The second thread may find itself to be the owner
// that the first one has left behind.
#include <assert.h>
#include <pthread.h>

pthread_t owner;
int owned;

void *first(void *unused)
{
    owner = pthread_self();
    owned = 1;
    return 0;
}

void *second(void *unused)
{
    assert(!owned || owner != pthread_self());
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(t, 0);
}
