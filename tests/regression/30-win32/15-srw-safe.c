//EXPECT: SAFE
// Slim locks: a reader never sees what a writer has half done.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; } SRWLOCK;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
void InitializeSRWLock(SRWLOCK *);
void AcquireSRWLockExclusive(SRWLOCK *);
void ReleaseSRWLockExclusive(SRWLOCK *);
void AcquireSRWLockShared(SRWLOCK *);
void ReleaseSRWLockShared(SRWLOCK *);

SRWLOCK l;
int x, y;

DWORD writer(void *arg)
{
    AcquireSRWLockExclusive(&l);
    x = 1;
    y = 1;
    ReleaseSRWLockExclusive(&l);
    return 0;
}

int main(void)
{
    InitializeSRWLock(&l);
    CreateThread(0, 0, writer, 0, 0, 0);
    AcquireSRWLockShared(&l);
    assert(x == y);
    ReleaseSRWLockShared(&l);
}
