//EXPECT: SAFE
// The program of fig2-cex.c as Mozilla repaired it: `init` holds a lock while it
// creates the thread and stores what it got, and the new thread begins by
// waiting for that lock.
//
// Shows: a lock that gives an order, not only exclusion.
//
// Modular: the mutex says who holds it. All that the thread has to know is that
// once it was created, `init` holds the lock or the pointer is there; that
// speaks of shared variables alone.
#include <assert.h>
#include <pthread.h>

struct prthread {
    int state;
};

enum { UNJOINABLE, JOINABLE };

struct prthread created = {JOINABLE}; // what the runtime system made
struct prthread *m_thread;            // what `init` remembers of it
int m_state;
pthread_mutex_t start_lock;

void wait_until_ready_to_start(void)
{
    pthread_mutex_lock(&start_lock);
    pthread_mutex_unlock(&start_lock);
}

void *thread_main(void *arg)
{
    wait_until_ready_to_start();
    assert(m_thread != 0);
    m_state = m_thread->state;
    return 0;
}

void init(void)
{
    pthread_t id;
    pthread_mutex_lock(&start_lock);
    pthread_create(&id, 0, thread_main, 0);
    m_thread = &created;
    pthread_mutex_unlock(&start_lock);
    pthread_join(id, 0);
}

int main(void)
{
    init();
}
