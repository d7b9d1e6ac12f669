//EXPECT: UNSAFE
// The result of an increment is the new value: two threads cannot both get 1.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
long InterlockedIncrement(long volatile *);

long x;

DWORD worker(void *arg)
{
    long n = InterlockedIncrement(&x);
    assert(n == 1);
    return 0;
}

int main(void)
{
    HANDLE t = CreateThread(0, 0, worker, 0, 0, 0);
    worker(0);
}
