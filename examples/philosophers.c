//EXPECT: SAFE
// Three dining philosophers. Each takes the fork with the smaller number first,
// so they cannot wait for each other in a circle.
//
// Shows: an array of mutexes, and a property of who holds which fork.
#include <assert.h>
#include <pthread.h>

enum { N = 3 };

pthread_mutex_t forks[N];
int user[N]; // who eats with the fork; 0: nobody

void *philosopher(void *arg)
{
    int me = (int)(long)arg;
    int first = me < N ? me - 1 : 0;
    int second = me < N ? me : N - 1;

    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);

    user[first] = me;
    user[second] = me;
    assert(user[first] == me && user[second] == me);
    user[first] = 0;
    user[second] = 0;

    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void *)(i + 1));
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}
