//EXPECT: SAFE
// Functions with the attribute `constructor` run before `main`: lower priorities first, those without one last, in the
// order of their definitions.
#include <assert.h>

int order;

__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
static void fourth(void) __attribute__((constructor));
static void fourth(void) { order = order * 10 + 4; }

int main(void)
{
    assert(order == 1243 || order == 1234);
    assert(order / 10 == 123 || order / 10 == 124);
}
