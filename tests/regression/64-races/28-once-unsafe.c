//EXPECT: UNSAFE
//ARGS: --check races
//REASON: data race
// The flag in place of pthread_once is plain.
#include <pthread.h>
int x;
int done;

void initialise(void)
{
    x = 3;
}

void *worker(void *unused)
{
    if (!done) {
        done = 1;
        initialise();
    }
    return (void *)(long)x;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
