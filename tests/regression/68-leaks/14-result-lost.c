//EXPECT: UNSAFE
//ARGS: --check leaks
//REASON: allocated by thread worker
// Joined without asking for the result.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) { return malloc(4); }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
