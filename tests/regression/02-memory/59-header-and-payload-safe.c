//EXPECT: SAFE
// Two objects in one allocation, the second right behind the first.
#include <assert.h>
#include <stdlib.h>

struct header { unsigned long length; };

int main(void)
{
    struct header *h = malloc(sizeof *h + 2 * sizeof(int));
    int *payload = (int *)(h + 1);
    h->length = 2;
    payload[0] = -1;
    payload[1] = 7;
    assert(h->length == 2 && payload[0] == -1 && payload[1] == 7);
    free(h);
}
