//EXPECT: UNSAFE
// Without the comparison both threads think that they own it.
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
    if (owner == 0) { owner = arg; wins++; }
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
