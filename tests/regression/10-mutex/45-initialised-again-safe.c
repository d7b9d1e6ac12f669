//EXPECT: SAFE
//ARGS: --check undefined
// What was destroyed may be initialised again, and so may what lives for the first time, also where something else was before. Memory of
// zeros, or with an initialiser, is initialised often enough that it is nothing to complain about.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

struct all {
    pthread_mutex_t kind;
    pthread_cond_t condition;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    sem_t semaphore;
    mtx_t mutex;
    cnd_t other;
};

static void initialise(struct all *all)
{
    pthread_mutex_init(&all->kind, 0);
    pthread_cond_init(&all->condition, 0);
    pthread_rwlock_init(&all->rwlock, 0);
    pthread_barrier_init(&all->barrier, 0, 2);
    sem_init(&all->semaphore, 0, 1);
    mtx_init(&all->mutex, mtx_plain);
    cnd_init(&all->other);
}

static void destroy(struct all *all)
{
    pthread_mutex_destroy(&all->kind);
    pthread_cond_destroy(&all->condition);
    pthread_rwlock_destroy(&all->rwlock);
    pthread_barrier_destroy(&all->barrier);
    sem_destroy(&all->semaphore);
    mtx_destroy(&all->mutex);
    cnd_destroy(&all->other);
}

struct all all, begun = {PTHREAD_MUTEX_INITIALIZER};
pthread_spinlock_t spin;

int main(void)
{
    initialise(&all);
    destroy(&all);
    initialise(&all);
    initialise(&begun);
    pthread_spin_init(&spin, 0);
    pthread_spin_destroy(&spin);
    pthread_spin_init(&spin, 0);
    for (int i = 0; i < 2; i++) {
        struct all local[2], *heap = malloc(sizeof *heap);
        initialise(local);
        initialise(local + 1);
        initialise(heap);
        free(heap);
        heap = calloc(1, sizeof *heap);
        initialise(heap);
        free(heap);
    }
}
