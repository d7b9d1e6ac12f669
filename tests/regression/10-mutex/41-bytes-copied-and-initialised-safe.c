//EXPECT: SAFE
// The copy gets a mutex of its own.
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
    pthread_mutex_init(&second.lock, 0);
    pthread_mutex_lock(&second.lock);
    assert(second.balance == 1);
    pthread_mutex_unlock(&second.lock);
}
