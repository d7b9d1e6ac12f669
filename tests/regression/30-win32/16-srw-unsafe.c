//EXPECT: UNSAFE
// Two threads that share the lock do not exclude each other.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; } SRWLOCK;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
void AcquireSRWLockShared(SRWLOCK *);
void ReleaseSRWLockShared(SRWLOCK *);

SRWLOCK l;
int inside;

DWORD worker(void *arg)
{
    AcquireSRWLockShared(&l);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    ReleaseSRWLockShared(&l);
    return 0;
}

int main(void)
{
    CreateThread(0, 0, worker, 0, 0, 0);
    worker(0);
}
