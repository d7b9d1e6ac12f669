//EXPECT: UNSAFE
//ARGS: --check assertions,undefined
#include <assert.h>
#include <string.h>

struct state {
    char name;
    _Bool set;
} state;

int main(void)
{
    memset(&state, 0, sizeof state);
    char byte = 0;
    memcpy(&state.name, &byte, 1);
    assert(state.name == 0);
    assert(state.set);
}
