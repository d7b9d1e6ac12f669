//EXPECT: UNSAFE
// reach_error is a failure, whatever its body does.
#include <stdlib.h>

void reach_error(void) { abort(); }

int main(void)
{
    reach_error();
}
