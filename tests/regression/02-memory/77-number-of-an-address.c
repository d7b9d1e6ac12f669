//EXPECT: UNKNOWN
//REASON: the number of an address
// Where an object lies, and so the bucket of a hash table, is another one in every layout.
#include <assert.h>
#include <stdint.h>

int a;

int main(void)
{
    unsigned bucket = ((uintptr_t)&a >> 4) % 16;
    assert(bucket == 0);
}
