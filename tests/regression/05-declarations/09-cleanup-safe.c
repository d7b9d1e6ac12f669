//EXPECT: SAFE
// `cleanup` calls its function where the scope of the variable ends, the last variable first: at the end of the block,
// before `break` and `continue` jump, and after the value of `return` or of a statement expression was computed.
#include <assert.h>

int trace;
void done(int *p) { trace = trace * 10 + *p; }

int run(int way)
{
    int a __attribute__((cleanup(done))) = 1;
    for (int i = 0; i < 2; i++) {
        __attribute__((cleanup(done))) int b = 2;
        if (way == 1) break;
        if (way == 2) continue;
        if (way == 3) return trace + a;
    }
    int sum = ({ int c __attribute__((cleanup(done))) = 3; c + 4; });
    assert(sum == 7);
    return trace;
}

int main(void)
{
    assert(run(0) == 223 && trace == 2231);
    trace = 0;
    assert(run(1) == 23 && trace == 231);
    trace = 0;
    assert(run(2) == 223 && trace == 2231);
    trace = 0;
    assert(run(3) == 1 && trace == 21);
}
