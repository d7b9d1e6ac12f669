//EXPECT: UNSAFE
//ARGS: --check deadlocks
//REASON: thread t waits for section, which thread main holds
// Waiting for a thread's handle is a wait: the thread never ends.
typedef void *HANDLE;
typedef struct { void *parts[5]; } CRITICAL_SECTION;
HANDLE CreateThread(void *, unsigned long, unsigned (*)(void *), void *, unsigned, unsigned *);
unsigned WaitForSingleObject(HANDLE, unsigned);
void InitializeCriticalSection(CRITICAL_SECTION *);
void EnterCriticalSection(CRITICAL_SECTION *);
void LeaveCriticalSection(CRITICAL_SECTION *);
CRITICAL_SECTION section;

unsigned t(void *unused)
{
    EnterCriticalSection(&section);
    LeaveCriticalSection(&section);
    return 0;
}

int main(void)
{
    InitializeCriticalSection(&section);
    EnterCriticalSection(&section);
    HANDLE thread = CreateThread(0, 0, t, 0, 0, 0);
    WaitForSingleObject(thread, 0xffffffffu);
    LeaveCriticalSection(&section);
    return 0;
}
