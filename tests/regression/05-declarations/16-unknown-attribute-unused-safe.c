//EXPECT: SAFE
// What is declared so is never used.
#include <assert.h>

int f(void) __attribute__((frobnicate));
extern int v __attribute__((frobnicate));
int x;

int main(void)
{
    if (x) v = f();
    assert(!x);
}
