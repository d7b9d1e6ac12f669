// A queue of jobs whose bookkeeping is wrong in several places: `rely check --all` lists each of them.
//EXPECT: UNSAFE
//ARGS: --check assertions,races --all
//REASON: assertions: UNSAFE (2, and no other)
//REASON: races: UNSAFE (2, and no other)
#include <assert.h>
#include <pthread.h>

int jobs, done, stopped;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    jobs = jobs - 1;
    pthread_mutex_unlock(&lock);
    done++; // without the lock: one of two gets lost
    assert(!stopped); // may be stopped already
    return 0;
}

int main(void)
{
    pthread_t first, second;
    jobs = 2;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    stopped = 1;
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(jobs == 0); // holds
    assert(done == 2);
    return 0;
}
