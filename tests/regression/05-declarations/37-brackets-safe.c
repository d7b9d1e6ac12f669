//EXPECT: SAFE
// Attributes in brackets are attributes, and a bracket behind another that closes is none.
#include <assert.h>

[[gnu::aligned(16), maybe_unused]] char x = 1;
int pair[2] = {1, 0};
[[deprecated("old")]] int f(int y) { return y; }
struct [[gnu::packed]] packed { char c; int x; };

int main(void)
{
    switch (x) {
    case 1: x = 2; [[fallthrough]];
    case 2: x = 3;
    }
    assert(x == 3 && pair[pair[1]] == 1 && f(2) == 2);
    assert(sizeof(struct packed) == 5 && _Alignof(x) == 16);
}
