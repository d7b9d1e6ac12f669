//EXPECT: SAFE
//ARGS: --check assertions,memory
// Its value outlives it, and a literal outside lives as long as the block around.
#include <assert.h>
int main(void) {
    int v = ({
        int y = 3, *q = &y;
        *q += 1;
        y;
    });
    int *p = (int[]){v};
    *p += 1;
    assert(*p == 5);
}
