// Calls a function that has no body.
#include <assert.h>
int ask(void);
int main(void)
{
    assert(ask() == 1);
}
