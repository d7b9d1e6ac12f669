//EXPECT: SAFE
// Events and semaphores are set, reset and counted as WIN32 says.
#include <assert.h>

#define TIMEOUT 258

typedef void *HANDLE;
typedef unsigned DWORD;
HANDLE CreateEvent(void *, int, int, const void *);
HANDLE CreateEventA(void *, int, int, const char *);
HANDLE CreateEventW(void *, int, int, const void *);
int SetEvent(HANDLE);
int ResetEvent(HANDLE);
HANDLE CreateSemaphore(void *, int, int, const void *);
HANDLE CreateSemaphoreA(void *, int, int, const char *);
HANDLE CreateSemaphoreW(void *, int, int, const void *);
int ReleaseSemaphore(HANDLE, int, int *);
HANDLE CreateMutexA(void *, int, const char *);
HANDLE CreateMutexW(void *, int, const void *);
int ReleaseMutex(HANDLE);
DWORD WaitForSingleObject(HANDLE, DWORD);

int main(void)
{
    HANDLE manual = CreateEvent(0, 1, 0, 0), automatic = CreateEventA(0, 0, 0, 0), set = CreateEventW(0, 1, 1, 0);
    assert(WaitForSingleObject(manual, 0) == TIMEOUT && SetEvent(manual));
    assert(WaitForSingleObject(manual, 0) == 0 && WaitForSingleObject(manual, 0) == 0);
    assert(SetEvent(automatic) && WaitForSingleObject(automatic, 0) == 0);
    assert(WaitForSingleObject(automatic, 0) == TIMEOUT);
    assert(WaitForSingleObject(set, 0) == 0 && ResetEvent(set) && WaitForSingleObject(set, 0) == TIMEOUT);
    HANDLE one = CreateSemaphore(0, 1, 1, 0), two = CreateSemaphoreA(0, 0, 2, 0), none = CreateSemaphoreW(0, 0, 1, 0);
    assert(WaitForSingleObject(one, 0) == 0 && WaitForSingleObject(one, 0) == TIMEOUT);
    assert(ReleaseSemaphore(one, 1, 0) && !ReleaseSemaphore(one, 1, 0));
    assert(ReleaseSemaphore(two, 2, 0) && WaitForSingleObject(two, 0) == 0 && WaitForSingleObject(two, 0) == 0);
    assert(WaitForSingleObject(none, 0) == TIMEOUT);
    HANDLE owned = CreateMutexA(0, 1, 0), unowned = CreateMutexW(0, 0, 0);
    assert(ReleaseMutex(owned) && !ReleaseMutex(owned) && !ReleaseMutex(unowned));
}
