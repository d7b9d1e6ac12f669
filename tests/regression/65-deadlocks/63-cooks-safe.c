//EXPECT: SAFE
//ARGS: --check deadlocks
// A cook takes two pots at once or none.
#include <pthread.h>

#define N 3

static pthread_mutex_t kitchen = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t washed = PTHREAD_COND_INITIALIZER;
static int pots = N;

static void take(int count) {
    pthread_mutex_lock(&kitchen);
    while (pots < count)
        pthread_cond_wait(&washed, &kitchen);
    pots -= count;
    pthread_mutex_unlock(&kitchen);
}

static void *cook(void *arg) {
    (void)arg;
    take(2);
    pthread_mutex_lock(&kitchen);
    pots += 2;
    pthread_cond_broadcast(&washed);
    pthread_mutex_unlock(&kitchen);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, cook, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
