//EXPECT: UNKNOWN
//REASON: use of a destroyed condition variable
// A copy of a condition variable is none (POSIX, pthread_cond_init).
#include <pthread.h>
#include <string.h>

pthread_cond_t first = PTHREAD_COND_INITIALIZER, second;

int main(void)
{
    memcpy(&second, &first, sizeof first);
    pthread_cond_signal(&second);
}
