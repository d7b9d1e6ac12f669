//EXPECT: UNSAFE
// malloc may give back the address that was just freed.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    unsigned long before = (unsigned long)p;
    free(p);
    int *q = malloc(sizeof *q);
    if (q) assert((unsigned long)q != before);
}
