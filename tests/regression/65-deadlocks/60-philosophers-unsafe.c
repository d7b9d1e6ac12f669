//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: deadlock
// Seven philosophers, each with the fork on the left, wait for the fork on the right.
#include <pthread.h>

#define N 7

static pthread_mutex_t forks[N];
static int meals[N];

static void *philosopher(void *arg) {
    int i = (int)(long)arg;
    int first = i, second = (i + 1) % N;
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
