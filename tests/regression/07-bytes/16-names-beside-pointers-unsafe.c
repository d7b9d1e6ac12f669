//EXPECT: UNSAFE
// A character beside a pointer has the value that was written there.
#include <assert.h>

struct node {
    struct node *next;
    char name[12];
} a, b = {&a, "cd"};

int main(void)
{
    char *text = b.name;
    text[1] = 'x';
    assert(b.name[1] == 'd');
}
