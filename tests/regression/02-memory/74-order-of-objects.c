//EXPECT: UNKNOWN
//REASON: different objects are ordered
// Which of two objects comes first is not C's to say (C11 6.5.8, 5).
#include <assert.h>

int a, b;

int main(void)
{
    int *p = &a, *q = &b;
    assert(p < q);
}
