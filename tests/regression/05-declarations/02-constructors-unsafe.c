//EXPECT: UNSAFE
// The constructor has run when `main` begins.
#include <assert.h>

int ready;

__attribute__((constructor)) static void begin(void) { ready = 1; }

int main(void)
{
    assert(!ready);
}
