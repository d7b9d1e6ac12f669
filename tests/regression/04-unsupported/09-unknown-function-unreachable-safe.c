//EXPECT: SAFE
// ... unless it is not called.
#include <assert.h>

extern int mystery(int *p);
int x;

int main(void)
{
    if (x) mystery(&x);
    assert(x == 0);
}
