//EXPECT: SAFE
// A thread can be waited for more than once.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForSingleObject(HANDLE, DWORD);
int CloseHandle(HANDLE);
DWORD GetCurrentThreadId(void);

int x;
DWORD seen;

DWORD worker(void *arg)
{
    seen = GetCurrentThreadId();
    x = *(int *)arg;
    return 0;
}

int main(void)
{
    int n = 3;
    DWORD id;
    HANDLE t = CreateThread(0, 0, worker, &n, 0, &id);
    assert(WaitForSingleObject(t, 0xffffffff) == 0);
    assert(WaitForSingleObject(t, 0) == 0);
    assert(x == 3 && seen == id && id != GetCurrentThreadId());
    assert(CloseHandle(t));
}
