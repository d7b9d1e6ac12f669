//EXPECT: UNKNOWN
//REASON: atexit
// Handlers that run at the exit are not modelled.
#include <assert.h>
#include <stdlib.h>

void handler(void) { assert(0); }

int main(void)
{
    atexit(handler);
}
