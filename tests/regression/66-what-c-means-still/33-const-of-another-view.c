//EXPECT: SAFE
//ARGS: --check assertions,memory,undefined
// The twin of 32: the object itself is not `const`, only what the pointer sees of it; and one that is has an initialiser in every round.
#include <assert.h>
int main(void) {
    int v = 3;
    const int *p = &v;
    *(int *)p = 4;
    assert(v == 4);
    for (int i = 0; i < 2; i++) {
        const int c = i;
        const struct {
            int a, b;
        } s = {c, c + 1};
        assert(s.b == i + 1);
    }
}
