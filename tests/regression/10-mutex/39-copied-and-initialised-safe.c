//EXPECT: SAFE
// A copy that is not used as a mutex, and one that is initialised before it is.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

int main(void)
{
    struct account a = {PTHREAD_MUTEX_INITIALIZER, 3};
    struct account b = a, c = a;
    pthread_mutex_init(&b.lock, 0);
    pthread_mutex_lock(&b.lock);
    pthread_mutex_lock(&a.lock);
    assert(b.balance + c.balance == 6);
    pthread_mutex_unlock(&a.lock);
    pthread_mutex_unlock(&b.lock);
    a.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&a.lock);
}
