//EXPECT: SAFE
// Enumerations count on from the value before.
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE };

int main(void)
{
    enum colour c = GREEN;
    c++;
    assert(RED == 0 && c == BLUE && BLUE == 6 && LAST == 6);
    typedef enum { A = -1 } e;
    e x = A;
    assert(x < 0);
}
