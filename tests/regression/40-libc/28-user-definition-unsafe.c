//EXPECT: UNSAFE
// A function that the program defines itself replaces the model of that name.
#include <assert.h>

int x;

void Sleep(unsigned milliseconds) { x = 1; }

int main(void)
{
    Sleep(10);
    assert(x == 0);
}
