// Dining philosophers: each takes the fork on the left, then the one on the right, and eats a few times.
// Repaired: the last one takes the other fork first.
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *arg) {
    int i = (int)(long)arg;
    int first = i, second = (i + 1) % N;
#ifdef REPAIRED
    if (second < first) {
        first = second;
        second = i;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[i]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_mutex_destroy(&forks[i]);
    return 0;
}
