//EXPECT: UNSAFE
// The order violation of Figure 2 in "Learning from mistakes" (Lu, Park, Seo,
// Zhou, ASPLOS 2008), from the class nsThread of Mozilla. `init` creates a
// thread and then stores what it got; the new thread may read it before.
//
// Shows: creating a thread and remembering it are two steps.
#include <assert.h>
#include <pthread.h>

struct prthread {
    int state;
};

enum { UNJOINABLE, JOINABLE };

struct prthread created = {JOINABLE}; // what the runtime system made
struct prthread *m_thread;            // what `init` remembers of it
int m_state;

void *thread_main(void *arg)
{
    assert(m_thread != 0);
    m_state = m_thread->state;
    return 0;
}

void init(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread_main, 0);
    m_thread = &created; // too late if the thread was quick
    pthread_join(id, 0);
}

int main(void)
{
    init();
}
