//EXPECT: SAFE
//ARGS: --check assertions,memory
// A local lives from the start of its block, whether or not its declaration is reached.
#include <assert.h>
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int y;
        case 0:
            y = 1;
            p = &y;
            *p = 2;
            assert(y == 2);
        }
    }
    goto in;
    {
        int z;
    in:
        z = 1;
        p = &z;
        *p = 2;
        assert(z == 2);
    }
}
