//EXPECT: UNKNOWN
//REASON: an object is changed while the same expression uses or changes it
// Where two pointers are equal, two effects meet.
#include <assert.h>

int x;

int main(void)
{
    int *p = &x, *q = &x;
    *p = *q = 1;
}
