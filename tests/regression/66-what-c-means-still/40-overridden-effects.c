//EXPECT: UNKNOWN
//REASON: an initialiser that is overridden and may have effects
// Whether `count` is called is unspecified (C11 6.7.9, footnote 151).
#include <assert.h>
int calls;
int count(void) { return ++calls; }

int main(void)
{
    int list[2] = {[1] = count(), [0] = 1, 2};
    assert(calls == 0);
    return list[1];
}
