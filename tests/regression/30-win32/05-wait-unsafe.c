//EXPECT: UNSAFE
// A wait with a limit can time out.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForSingleObject(HANDLE, DWORD);

int x;

DWORD worker(void *arg)
{
    x = 1;
    return 0;
}

int main(void)
{
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    WaitForSingleObject(t, 1000);
    assert(x == 1);
}
