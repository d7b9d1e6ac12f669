//EXPECT: UNSAFE
// Other seeds give other numbers.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned a = 3, b = 4;
    int first = rand_r(&a);
    assert(first == rand_r(&b));
}
