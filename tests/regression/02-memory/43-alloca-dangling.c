//EXPECT: UNKNOWN
//REASON: after the end of its lifetime
// The memory is gone when the function returns.
#include <alloca.h>

int *f(void)
{
    int *p = alloca(sizeof(int));
    *p = 1;
    return p;
}

int main(void) { return *f(); }
