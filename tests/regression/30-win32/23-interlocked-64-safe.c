//EXPECT: SAFE
// The functions on 64 bits are single steps, too: no update of two threads is lost.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForSingleObject(HANDLE, DWORD);
int CloseHandle(HANDLE);
int SetThreadPriority(HANDLE, int);
void MemoryBarrier(void);
void Sleep(DWORD);
int SwitchToThread(void);
DWORD GetCurrentThreadId(void);
long long InterlockedIncrement64(long long volatile *);
long long InterlockedDecrement64(long long volatile *);
long long InterlockedExchange64(long long volatile *, long long);
long long InterlockedExchangeAdd64(long long volatile *, long long);
long long InterlockedCompareExchange64(long long volatile *, long long, long long);

long long sum, down = 2, token, owner;
int mine, other;
DWORD ids[2];

DWORD worker(void *arg)
{
    InterlockedExchangeAdd64(&sum, 0x100000000);
    InterlockedIncrement64(&sum);
    InterlockedDecrement64(&down);
    ids[arg != 0] = GetCurrentThreadId();
    MemoryBarrier();
    Sleep(1);
    SwitchToThread();
    *(arg ? &other : &mine) = InterlockedExchange64(&token, 1) == 0;
    *(arg ? &other : &mine) += InterlockedCompareExchange64(&owner, 1, 0) == 0;
    return 0;
}

int main(void)
{
    HANDLE t = CreateThread(0, 0, worker, &sum, 0, 0);
    assert(SetThreadPriority(t, 1));
    worker(0);
    WaitForSingleObject(t, 0xffffffff);
    assert(CloseHandle(t));
    assert(sum == 0x200000002 && down == 0 && mine + other == 2);
    assert(ids[0] != ids[1]);
}
