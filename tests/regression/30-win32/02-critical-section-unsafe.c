//EXPECT: UNSAFE
// TryEnterCriticalSection does not wait.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
typedef struct { void *p; long l[4]; } CRITICAL_SECTION;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
void InitializeCriticalSection(CRITICAL_SECTION *);
void EnterCriticalSection(CRITICAL_SECTION *);
int TryEnterCriticalSection(CRITICAL_SECTION *);
void LeaveCriticalSection(CRITICAL_SECTION *);

CRITICAL_SECTION s;

DWORD worker(void *arg)
{
    EnterCriticalSection(&s);
    LeaveCriticalSection(&s);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&s);
    CreateThread(0, 0, worker, 0, 0, 0);
    assert(TryEnterCriticalSection(&s));
}
