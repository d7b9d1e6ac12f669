//EXPECT: SAFE
// A semaphore has a limit.
#include <assert.h>

typedef void *HANDLE;
HANDLE CreateSemaphore(void *, int, int, const char *);
int ReleaseSemaphore(HANDLE, int, int *);
unsigned WaitForSingleObject(HANDLE, unsigned);

int main(void)
{
    HANDLE s = CreateSemaphore(0, 1, 2, 0);
    assert(WaitForSingleObject(s, 0) == 0);
    assert(WaitForSingleObject(s, 0) == 258);
    assert(ReleaseSemaphore(s, 2, 0));
    assert(!ReleaseSemaphore(s, 1, 0));
    assert(WaitForSingleObject(s, 0) == 0);
    assert(CreateSemaphore(0, 3, 2, 0) == 0);
}
