//EXPECT: SAFE
//REASON: signed overflow, should it happen, gives some value
//VACUOUS: the threads never end
// Nobody follows a counter until it overflows. Whatever it is then, the assertion holds, and the answer says what that rests on.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter, copy;

void *count(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        counter++;
        copy = counter;
        assert(copy == counter);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    count(0);
}
