//EXPECT: UNSAFE
// Sleeping, yielding, priorities and barriers are no lock: an increment can be lost.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
unsigned long _beginthreadex(void *, unsigned, unsigned (*)(void *), void *, unsigned, unsigned *);
void _endthreadex(unsigned);
DWORD WaitForSingleObject(HANDLE, DWORD);
int CloseHandle(HANDLE);
int SetThreadPriority(HANDLE, int);
void MemoryBarrier(void);
int SwitchToThread(void);
DWORD GetCurrentThreadId(void);

int x;

void add(void)
{
    int old = x;
    MemoryBarrier();
    SwitchToThread();
    x = old + 1;
}

unsigned worker(void *arg)
{
    if (GetCurrentThreadId() == *(DWORD *)arg) return 0;
    add();
    _endthreadex(0);
    x = 5;
    return 0;
}

int main(void)
{
    DWORD self = GetCurrentThreadId();
    HANDLE t = (HANDLE)_beginthreadex(0, 0, worker, &self, 0, 0);
    if (!SetThreadPriority(t, 2)) return 0;
    add();
    WaitForSingleObject(t, 0xffffffff);
    if (!CloseHandle(t) || x > 2) return 0;
    assert(x == 2);
}
