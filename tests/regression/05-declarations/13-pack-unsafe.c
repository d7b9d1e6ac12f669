//EXPECT: UNSAFE
// Packed, the number lies right behind the character.
#include <assert.h>

#pragma pack(1)
struct s { char c; int i; };

int main(void)
{
    assert(sizeof(struct s) == 8);
}
