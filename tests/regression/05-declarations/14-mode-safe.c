//EXPECT: SAFE
// `mode` gives a type another size; `aligned` is what `__alignof__` says.
#include <assert.h>

typedef int quarter __attribute__((mode(QI)));
enum small { A, B } __attribute__((mode(HI)));
int wide __attribute__((aligned(64)));
void f(void) __attribute__((aligned(256)));
void f(void) {}

int main(void)
{
    quarter q = 255;
    assert(sizeof q == 1 && q == -1 && sizeof(enum small) == 2);
    assert(__alignof__(wide) == 64 && __alignof__(f) == 256);
}
