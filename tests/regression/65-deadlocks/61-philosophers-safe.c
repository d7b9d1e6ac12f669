//EXPECT: SAFE
//ARGS: --check deadlocks
//SLOW: all states of four threads are looked at, and the model is reduced by steps that take their proof
// The last one takes the fork with the smaller number first: then no circle can close.
#include <pthread.h>

#define N 3

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *arg) {
    int i = (int)(long)arg;
    int first = i, second = (i + 1) % N;
    if (second < first) {
        first = second;
        second = i;
    }
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
