//EXPECT: UNKNOWN
//REASON: signal
// Signals are not modelled.
#include <signal.h>

void handler(int n) {}

int main(void)
{
    signal(SIGINT, handler);
}
