//EXPECT: SAFE
//ARGS: --check assertions,undefined
// A number may be changed and changed back; a pointer must not leave its object.
#include <assert.h>
#include <stdint.h>

int x = 3, y = 4;

int main(void)
{
    int *p = &x;
    if (y == 5)
        p = &y;
    uintptr_t number = (uintptr_t)p;
    number += 1 << 16;
    number -= 1 << 16;
    assert(*(int *)number == 3);
}
