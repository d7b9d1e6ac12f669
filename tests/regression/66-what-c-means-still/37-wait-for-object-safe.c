//EXPECT: SAFE
//ARGS: --check deadlocks
// Waiting for a thread's handle is a wait, which ends: the section is left before.
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
    LeaveCriticalSection(&section);
    WaitForSingleObject(thread, 0xffffffffu);
    return 0;
}
