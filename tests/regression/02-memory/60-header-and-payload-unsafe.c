//EXPECT: UNSAFE
// The header ends where the payload begins: what is written before the payload changes the header.
#include <assert.h>
#include <stdlib.h>

struct header { unsigned long length; };

int main(void)
{
    struct header *h = malloc(sizeof *h + 2 * sizeof(int));
    h->length = 2;
    unsigned char *last = (unsigned char *)(h + 1) - 1;
    *last = 1;
    assert(h->length == 2);
}
