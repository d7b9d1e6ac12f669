//EXPECT: UNSAFE
//ARGS: --property memsafety.prp
//REASON: Violated: valid-memtrack
// The program waits for ever, and so never ends.
#include <pthread.h>
#include <stdlib.h>

int *kept;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    kept = malloc(sizeof *kept);
    kept = 0;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    return 0;
}
