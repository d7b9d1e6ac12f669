//EXPECT: UNKNOWN
//REASON: leaves a critical section
// Only who is inside may leave.
typedef struct { void *p; long l[4]; } CRITICAL_SECTION;
void InitializeCriticalSection(CRITICAL_SECTION *);
void LeaveCriticalSection(CRITICAL_SECTION *);

CRITICAL_SECTION s;

int main(void)
{
    InitializeCriticalSection(&s);
    LeaveCriticalSection(&s);
}
