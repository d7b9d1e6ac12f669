//EXPECT: UNKNOWN
//REASON: use of a mutex that is not initialised
// POSIX: the result of using a copy of a mutex is undefined.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

int main(void)
{
    struct account a = {PTHREAD_MUTEX_INITIALIZER, 3};
    struct account b = a;
    pthread_mutex_lock(&b.lock);
    assert(b.balance == 3);
}
