// A crossing with as many quadrants as roads: a car that goes straight on needs the quadrant before it and the next
// one. Each takes a quadrant, drives on, and lets go of what is behind it.
// Repaired: at most N - 1 cars are on the crossing at a time (a semaphore).
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t quadrant[N];
static int car_in[N];
#ifdef REPAIRED
static sem_t room;
#endif

static void *car(void *arg) {
    int road = (int)(long)arg;
    int here = road, next = (road + 1) % N;
#ifdef REPAIRED
    sem_wait(&room);
#endif
    pthread_mutex_lock(&quadrant[here]);
    car_in[here] = road;
    pthread_mutex_lock(&quadrant[next]);
    car_in[next] = road;
    pthread_mutex_unlock(&quadrant[here]);
    pthread_mutex_unlock(&quadrant[next]);
#ifdef REPAIRED
    sem_post(&room);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[N];
#ifdef REPAIRED
    sem_init(&room, 0, N - 1);
#endif
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&quadrant[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, car, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
