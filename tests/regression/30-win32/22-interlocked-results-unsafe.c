//EXPECT: UNSAFE
// The error is reached only if every function does its step and gives the right value: the old one,
// but the new one of an increment or decrement.
#include <assert.h>

#define NEED(condition) if (!(condition)) return 0

long InterlockedDecrement(long volatile *);
long InterlockedExchange(long volatile *, long);
long InterlockedExchangeAdd(long volatile *, long);
long InterlockedCompareExchange(long volatile *, long, long);
long InterlockedOr(long volatile *, long);
long InterlockedAnd(long volatile *, long);
long InterlockedXor(long volatile *, long);
long long InterlockedIncrement64(long long volatile *);
long long InterlockedDecrement64(long long volatile *);
long long InterlockedExchange64(long long volatile *, long long);
long long InterlockedExchangeAdd64(long long volatile *, long long);
long long InterlockedCompareExchange64(long long volatile *, long long, long long);

long x = 1;
long long y = 0xffffffff;

int main(void)
{
    NEED(InterlockedDecrement(&x) == 0);
    NEED(InterlockedExchange(&x, 5) == 0);
    NEED(InterlockedExchangeAdd(&x, 2) == 5);
    NEED(InterlockedCompareExchange(&x, 9, 8) == 7 && x == 7);
    NEED(InterlockedCompareExchange(&x, 1, 7) == 7 && x == 1);
    NEED(InterlockedOr(&x, 6) == 1 && x == 7);
    NEED(InterlockedAnd(&x, 3) == 7 && x == 3);
    NEED(InterlockedXor(&x, 1) == 3 && x == 2);
    NEED(InterlockedIncrement64(&y) == 0x100000000);
    NEED(InterlockedDecrement64(&y) == 0xffffffff);
    NEED(InterlockedExchangeAdd64(&y, 0x200000000) == 0xffffffff);
    NEED(InterlockedCompareExchange64(&y, 3, 4) == 0x2ffffffff && y == 0x2ffffffff);
    NEED(InterlockedCompareExchange64(&y, 3, 0x2ffffffff) == 0x2ffffffff && y == 3);
    NEED(InterlockedExchange64(&y, 1) == 3 && y == 1);
    assert(0);
}
