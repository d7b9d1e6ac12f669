//EXPECT: SAFE
// A mutex object, recursive; who ends without a release abandons it.
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
    x = 1;
    x = 0;
    return 0;
}

int main(void)
{
    m = CreateMutex(0, 0, 0);
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    DWORD r = WaitForSingleObject(m, 0xffffffff);
    assert(r == 0 || r == 128);
    assert(x == 0);
    assert(ReleaseMutex(m));
    assert(!ReleaseMutex(m));
    WaitForSingleObject(t, 0xffffffff);
    if (r == 0) assert(WaitForSingleObject(m, 0) == 128);
}
