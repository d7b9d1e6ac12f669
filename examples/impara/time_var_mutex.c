//EXPECT: SAFE
// A mutex that varies over time, after Flanagan, Freund and Qadeer
// ("Thread-modular verification for shared-memory programs", 2002), who took it
// from a file system. A block of the disk belongs to a file or is free. While
// it is free, the mutex of the list of free blocks protects it; afterwards, the
// mutex of the file's inode does.
//
// Shows: no single mutex is held at all accesses to `block`, and yet nobody
// disturbs anybody. Lists of locks are not enough to see that.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m_inode; // protects `inode`, and `block` while it is busy
pthread_mutex_t m_busy;  // protects `busy`, and `block` while it is not

int inode; // the block of the file, or 0 if it has none yet
int busy;  // does the block belong to a file?
int block; // the content

// Gives the file a block if it has none, and fills it.
void *allocator(void *arg)
{
    pthread_mutex_lock(&m_inode);

    if (inode == 0) {
        pthread_mutex_lock(&m_busy);
        busy = 1;
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }

    block = 1;
    assert(block == 1);

    pthread_mutex_unlock(&m_inode);
    return 0;
}

// Wipes the block if it is free.
void *cleaner(void *arg)
{
    pthread_mutex_lock(&m_busy);

    if (!busy) {
        block = 0;
        assert(block == 0);
    }

    pthread_mutex_unlock(&m_busy);
    return 0;
}

int main(void)
{
    pthread_t a, c;
    pthread_mutex_init(&m_inode, 0);
    pthread_mutex_init(&m_busy, 0);

    pthread_create(&a, 0, allocator, 0);
    pthread_create(&c, 0, cleaner, 0);
    pthread_join(a, 0);
    pthread_join(c, 0);

    pthread_mutex_destroy(&m_inode);
    pthread_mutex_destroy(&m_busy);
}
