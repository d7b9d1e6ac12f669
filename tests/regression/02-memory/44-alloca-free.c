//EXPECT: UNKNOWN
//REASON: not allocated
// Memory of the frame must not be freed.
#include <alloca.h>
#include <stdlib.h>

int main(void)
{
    free(alloca(4));
}
