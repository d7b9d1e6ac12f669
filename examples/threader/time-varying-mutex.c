//EXPECT: SAFE
// The mutex that varies over time of Flanagan, Freund and Qadeer ("Thread-modular
// verification for shared-memory programs", ESOP 2002). A block of a disk is
// protected by `m_busy` while it is free, by `m_inode` once a file owns it. One
// thread gives the block to a file and fills it; one wipes it if it is free. (The
// published cleaner does not look at the file. Then only one thread uses `m_inode`,
// and it is no mutex at all.)
//
// Shows: no modular proof, because a mutex here is a bit that says "taken", not
// by whom: the environment could open it. (With POSIX mutexes, which know their
// owner, a modular proof exists: ../impara/time_var_mutex.c.)
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int m_inode; // protects `inode`, and `block` while it is busy
int m_busy;  // protects `busy`, and `block` while it is not
int inode;   // does the file have the block?
int busy;    // does some file have the block?
int block;   // its content

void *allocator(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(m_inode == 0);
    m_inode = 1;
    __VERIFIER_atomic_end();

    if (inode == 0) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(m_busy == 0);
        m_busy = 1;
        __VERIFIER_atomic_end();
        busy = 1;
        m_busy = 0;
        inode = 1;
    }
    block = 1;
    assert(block == 1);

    m_inode = 0;
    return 0;
}

void *cleaner(void *arg)
{
    int owned;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(m_inode == 0);
    m_inode = 1;
    __VERIFIER_atomic_end();
    owned = inode;
    m_inode = 0;
    if (owned) return 0; // there is nothing to do

    __VERIFIER_atomic_begin();
    __VERIFIER_assume(m_busy == 0);
    m_busy = 1;
    __VERIFIER_atomic_end();

    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }

    m_busy = 0;
    return 0;
}

int main(void)
{
    pthread_t a, c;
    pthread_create(&a, 0, allocator, 0);
    pthread_create(&c, 0, cleaner, 0);
    pthread_join(a, 0);
    pthread_join(c, 0);
}
