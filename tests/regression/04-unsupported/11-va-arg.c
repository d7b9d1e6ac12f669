//EXPECT: UNKNOWN
//REASON: not supported
// Variable arguments cannot be read.
#include <stdarg.h>

int sum(int n, ...)
{
    va_list l;
    va_start(l, n);
    int s = 0;
    while (n--) s += va_arg(l, int);
    va_end(l);
    return s;
}

int main(void)
{
    return sum(2, 1, 2);
}
