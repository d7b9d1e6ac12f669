//EXPECT: UNKNOWN
//ARGS: --check assertions,undefined
//REASON: not supported: a byte other than 0 and 1 in a `_Bool`
// To fill is defined; to read the member as a `_Bool` afterwards is not.
#include <assert.h>
#include <string.h>

struct state {
    char name;
    _Bool set;
} state;

int main(void)
{
    memset(&state, 3, sizeof state);
    assert(state.name == 3);
    assert(!state.set || state.set == 1);
}
