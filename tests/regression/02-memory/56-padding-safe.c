//EXPECT: SAFE
// All bytes of a structure can be copied; the padding of an object that lives as long as the program
// is zero until a member is written (C11 6.7.9, 10).
#include <assert.h>
#include <string.h>

struct message { char kind; int value; };
struct message never;

int main(void)
{
    struct message from = {1, 2}, to;
    unsigned char bytes[sizeof from];
    memcpy(bytes, &from, sizeof from);
    memcpy(&to, bytes, sizeof to);
    assert(to.kind == 1 && to.value == 2);
    int sum = 0;
    for (unsigned i = 0; i < sizeof never; i++) sum += ((unsigned char *)&never)[i];
    assert(sum == 0);
}
