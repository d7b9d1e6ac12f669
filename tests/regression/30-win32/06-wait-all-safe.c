//EXPECT: SAFE
// WaitForMultipleObjects waits for all threads.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForMultipleObjects(DWORD, HANDLE const *, int, DWORD);
long InterlockedIncrement(long volatile *);

long x;

DWORD worker(void *arg)
{
    InterlockedIncrement(&x);
    return 0;
}

int main(void)
{
    HANDLE t[2];
    t[0] = CreateThread(0, 0, worker, 0, 0, 0);
    t[1] = CreateThread(0, 0, worker, 0, 0, 0);
    assert(WaitForMultipleObjects(2, t, 1, 0xffffffff) == 0);
    assert(x == 2);
}
