//EXPECT: UNSAFE
// SleepConditionVariableCS may wake up without cause.
#include <assert.h>

typedef struct { void *p; long l[4]; } CRITICAL_SECTION;
typedef struct { void *p; } CONDITION_VARIABLE;
void InitializeCriticalSection(CRITICAL_SECTION *);
void EnterCriticalSection(CRITICAL_SECTION *);
void InitializeConditionVariable(CONDITION_VARIABLE *);
int SleepConditionVariableCS(CONDITION_VARIABLE *, CRITICAL_SECTION *, unsigned);

CRITICAL_SECTION s;
CONDITION_VARIABLE c;
int ready;

int main(void)
{
    InitializeCriticalSection(&s);
    InitializeConditionVariable(&c);
    EnterCriticalSection(&s);
    if (!ready) assert(SleepConditionVariableCS(&c, &s, 0xffffffff));
    assert(ready);
}
