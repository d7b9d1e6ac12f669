//EXPECT: SAFE
//ARGS: --check races
// The pointer of double-checked locking is atomic.
#include <pthread.h>
int object, *_Atomic instance;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int *get(void)
{
    int *got = instance;
    if (!got) {
        pthread_mutex_lock(&m);
        got = instance;
        if (!got) {
            object = 7;
            instance = got = &object;
        }
        pthread_mutex_unlock(&m);
    }
    return got;
}

void *worker(void *unused)
{
    return (void *)(long)*get();
}

int main(void)
{
    pthread_t t;
    int seen;
    pthread_create(&t, 0, worker, 0);
    seen = *get();
    pthread_join(t, 0);
    return seen;
}
