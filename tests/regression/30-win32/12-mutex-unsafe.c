//EXPECT: UNSAFE
// The mutex was released too early.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
HANDLE CreateMutex(void *, int, const char *);
int ReleaseMutex(HANDLE);
DWORD WaitForSingleObject(HANDLE, DWORD);

HANDLE m;
int x;

DWORD worker(void *arg)
{
    WaitForSingleObject(m, 0xffffffff);
    int old = x;
    ReleaseMutex(m);
    x = old + 1;
    return 0;
}

int main(void)
{
    m = CreateMutex(0, 0, 0);
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    worker(0);
    WaitForSingleObject(t, 0xffffffff);
    assert(x == 2);
}
