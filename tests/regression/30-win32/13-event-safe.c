//EXPECT: SAFE
// An auto-reset event lets one waiter through, a manual one all.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
HANDLE CreateEvent(void *, int, int, const char *);
int SetEvent(HANDLE);
int ResetEvent(HANDLE);
DWORD WaitForSingleObject(HANDLE, DWORD);

HANDLE ready, automatic;
int data;

DWORD worker(void *arg)
{
    data = 42;
    SetEvent(ready);
    return 0;
}

int main(void)
{
    ready = CreateEvent(0, 1, 0, 0);
    automatic = CreateEvent(0, 0, 1, 0);
    CreateThread(0, 0, worker, 0, 0, 0);
    WaitForSingleObject(ready, 0xffffffff);
    assert(data == 42);
    assert(WaitForSingleObject(ready, 0) == 0);
    ResetEvent(ready);
    assert(WaitForSingleObject(ready, 0) == 258);
    assert(WaitForSingleObject(automatic, 0) == 0);
    assert(WaitForSingleObject(automatic, 0) == 258);
}
