//EXPECT: SAFE
// The Interlocked functions are single steps, with their different results.
#include <assert.h>

long InterlockedIncrement(long volatile *);
long InterlockedDecrement(long volatile *);
long InterlockedExchange(long volatile *, long);
long InterlockedExchangeAdd(long volatile *, long);
long InterlockedCompareExchange(long volatile *, long, long);
long InterlockedOr(long volatile *, long);
long InterlockedAnd(long volatile *, long);
long InterlockedXor(long volatile *, long);
long long InterlockedIncrement64(long long volatile *);
long long InterlockedCompareExchange64(long long volatile *, long long, long long);

long x;
long long y;

int main(void)
{
    assert(InterlockedIncrement(&x) == 1);
    assert(InterlockedDecrement(&x) == 0);
    assert(InterlockedExchange(&x, 5) == 0);
    assert(InterlockedExchangeAdd(&x, 2) == 5);
    assert(InterlockedCompareExchange(&x, 1, 7) == 7);
    assert(InterlockedCompareExchange(&x, 9, 7) == 1);
    assert(InterlockedOr(&x, 6) == 1);
    assert(InterlockedAnd(&x, 3) == 7);
    assert(InterlockedXor(&x, 1) == 3);
    assert(x == 2);
    assert(InterlockedIncrement64(&y) == 1);
    assert(InterlockedCompareExchange64(&y, 4, 1) == 1 && y == 4);
}
