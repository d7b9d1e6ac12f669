//EXPECT: UNKNOWN
//REASON: use of a mutex that is not initialised
// A copy of a mutex is none (POSIX, pthread_mutex_init), however it was copied.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct account {
    int balance;
    pthread_mutex_t lock;
} first = {1, PTHREAD_MUTEX_INITIALIZER}, second;

int main(void)
{
    memcpy(&second, &first, sizeof first);
    assert(second.balance == 1);
    pthread_mutex_lock(&second.lock);
}
