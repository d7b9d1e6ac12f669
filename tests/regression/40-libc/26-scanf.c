//EXPECT: UNKNOWN
//REASON: scanf
// Formatted input is not modelled.
#include <stdio.h>

int main(void)
{
    int x;
    scanf("%d", &x);
}
