//EXPECT: UNKNOWN
//REASON: an object is changed while the same expression uses or changes it
// An effect and a use of the value without order.
#include <assert.h>

int a[3], i;

int main(void)
{
    a[i] = i++;
}
