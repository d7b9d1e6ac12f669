// Cooks who share pots under one lock: each needs two of them, and there are N. A cook who has one waits on a condition
// variable until there is another. Repaired: a cook waits until two are there, and takes both.
#include <pthread.h>

#ifndef N
#define N 3
#endif

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
#ifdef REPAIRED
    take(2);
#else
    take(1);
    take(1);
#endif
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
