//EXPECT: SAFE
// A critical section excludes the other thread, and is recursive.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; long l[4]; } CRITICAL_SECTION;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForSingleObject(HANDLE, DWORD);
void InitializeCriticalSection(CRITICAL_SECTION *);
void EnterCriticalSection(CRITICAL_SECTION *);
void LeaveCriticalSection(CRITICAL_SECTION *);
void DeleteCriticalSection(CRITICAL_SECTION *);

CRITICAL_SECTION s;
int x;

DWORD worker(void *arg)
{
    EnterCriticalSection(&s);
    EnterCriticalSection(&s);
    x = x + 1;
    LeaveCriticalSection(&s);
    LeaveCriticalSection(&s);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&s);
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    worker(0);
    WaitForSingleObject(t, 0xffffffff);
    assert(x == 2);
    DeleteCriticalSection(&s);
}
