//EXPECT: SAFE
// Calls through pointers, also from a table.
#include <assert.h>

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int (*table[])(int, int) = {add, &sub};

int apply(int (*f)(int, int), int a, int b) { return f(a, b); }

int main(void)
{
    assert(table[0](2, 3) == 5 && (*table[1])(2, 3) == -1);
    assert(apply(sub, 9, 4) == 5);
    int (*f)(int, int) = 0;
    f = table[0] == add ? table[1] : 0;
    assert(f && f(1, 1) == 0);
}
