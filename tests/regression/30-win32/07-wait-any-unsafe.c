//EXPECT: UNSAFE
// Or for any of them: it says which has ended.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForMultipleObjects(DWORD, HANDLE const *, int, DWORD);

int x[2];

DWORD worker(void *arg)
{
    *(int *)arg = 1;
    return 0;
}

int main(void)
{
    HANDLE t[2];
    t[0] = CreateThread(0, 0, worker, &x[0], 0, 0);
    t[1] = CreateThread(0, 0, worker, &x[1], 0, 0);
    DWORD r = WaitForMultipleObjects(2, t, 0, 0xffffffff);
    assert(r < 2 && x[r] == 1);
    assert(r == 0);
}
