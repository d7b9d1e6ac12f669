//EXPECT: UNKNOWN
//ARGS: --engine explore --timeout 10
// The assertion is about what the counter is when it has overflowed: neither does it hold then whatever that is, nor is it
// known what it is.
#include <assert.h>

int counter;

int main(void)
{
    while (1) {
        counter++;
        assert(counter >= 0);
    }
}
