//EXPECT: UNKNOWN
//REASON: not supported: what `printf` prints
// How `%p` looks is the library's choice. It is not modelled: an error that needs a wrong number is none.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x;
    assert(printf("%p", (void *)&x) < 50);
}
