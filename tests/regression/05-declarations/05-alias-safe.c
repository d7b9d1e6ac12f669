//EXPECT: SAFE
// An alias and an `asm` label are second names of one object or function, whichever is declared first.
#include <assert.h>

extern int before __attribute__((alias("object")));
int object = 1;
extern int after __attribute__((alias("object")));

int labelled asm("by_label");
extern int by_label;

int plus_one(int a) { return a + 1; }
int next_one(int a) __attribute__((alias("plus_one")));
int by_name(int) asm("plus_one");

#pragma redefine_extname renamed plus_one
int renamed(int);

#pragma weak second = plus_one
int second(int);

int main(void)
{
    before = 2;
    assert(object == 2 && after == 2 && &before == &after);
    by_label = 3;
    assert(labelled == 3);
    assert(next_one(1) == 2 && by_name(2) == 3 && renamed(3) == 4 && second(4) == 5);
}
