//EXPECT: SAFE
// The last member may have more elements than its type says, if there is room.
#include <assert.h>
#include <stdlib.h>

struct record {
    int values[4];
    int count;
    int rest[1];
};

int main(void) {
    struct record *p = malloc(sizeof(struct record) + 3 * sizeof(int));
    for (int i = 0; i < 4; i++) p->values[i] = i;
    for (int i = 0; i < 4; i++) p->rest[i] = i;
    p->count = 7;
    assert(p->values[3] == 3 && p->rest[3] == 3 && p->count == 7);
    return 0;
}
