//EXPECT: UNKNOWN
//REASON: an object is changed while the same expression uses or changes it
// Two effects on one object without order (C11, 6.5, paragraph 2).
#include <assert.h>

int i;

int main(void)
{
    i = i++ + 1;
}
