//EXPECT: SAFE
// An object without such a record: what is accessed are its bytes.
#include <assert.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

int main(void)
{
    char *bytes = malloc(2 * sizeof(struct pair));
    char *volatile hidden = bytes;
    struct pair *pair = (struct pair *)(hidden + sizeof(struct pair));
    pair->first = 1;
    pair->second = 2;
    assert(bytes[8] == 1 && bytes[12] == 2);
}
