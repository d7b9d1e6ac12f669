//EXPECT: SAFE
//ARGS: --check assertions,undefined
#include <assert.h>
#include <string.h>

struct state {
    char name;
    _Bool set;
} state;

int main(void)
{
    memset(&state, 1, sizeof state);
    char byte = 1;
    memcpy(&state.name, &byte, 1);
    assert(state.name == 1);
    assert(state.set);
}
