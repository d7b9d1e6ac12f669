//EXPECT: UNSAFE
// `exit` runs the destructors.
#include <assert.h>
#include <stdlib.h>

int done;

__attribute__((destructor)) static void finish(void) { assert(!done); }

int main(void)
{
    done = 1;
    exit(0);
}
