//EXPECT: UNKNOWN
//REASON: fork
// Processes are not modelled.
#include <unistd.h>

int main(void)
{
    fork();
}
