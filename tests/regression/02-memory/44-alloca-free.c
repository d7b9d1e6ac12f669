//EXPECT: UNKNOWN
//REASON: not the start of an allocation
// Memory of the frame must not be freed.
#include <alloca.h>
#include <stdlib.h>

int main(void)
{
    free(alloca(4));
}
