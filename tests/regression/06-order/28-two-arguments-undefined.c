//EXPECT: UNKNOWN
//REASON: an object is changed while the same expression uses or changes it
// Arguments are not sequenced.
#include <assert.h>

int last;

int next(void)
{
    return ++last;
}

int minus(int a, int b)
{
    return a - b;
}

int main(void)
{
    int i = 1;
    minus(i++, i++);
}
