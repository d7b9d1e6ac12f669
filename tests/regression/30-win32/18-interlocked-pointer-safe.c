//EXPECT: SAFE
// InterlockedCompareExchangePointer exchanges in one step; one thread wins.
#include <assert.h>

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateThread(void *, unsigned long, DWORD (*)(void *), void *, DWORD, DWORD *);
DWORD WaitForSingleObject(HANDLE, DWORD);
void *InterlockedCompareExchangePointer(void *volatile *, void *, void *);
void *InterlockedExchangePointer(void *volatile *, void *);

void *volatile owner;
int me, other, wins;

DWORD worker(void *arg)
{
    if (InterlockedCompareExchangePointer(&owner, arg, 0) == 0) wins++;
    return 0;
}

int main(void)
{
    HANDLE t = CreateThread(0, 0, worker, &other, 0, 0);
    if (InterlockedCompareExchangePointer(&owner, &me, 0) == 0) wins++;
    WaitForSingleObject(t, 0xffffffff);
    assert(wins == 1);
    assert(InterlockedExchangePointer(&owner, 0) != 0 && owner == 0);
    return 0;
}
