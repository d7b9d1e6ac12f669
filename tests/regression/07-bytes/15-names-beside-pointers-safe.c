//EXPECT: SAFE
// Characters that lie beside pointers are no bytes of addresses; nor are bytes of null pointers and of numbers in a union.
#include <assert.h>
#include <string.h>

struct node {
    struct node *next;
    char name[12];
    int number;
} a = {0, "ab", 1}, b = {&a, "cd", 2};

union {
    int i;
    struct node *node;
    char c[8];
} u;

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

int main(void)
{
    char text[12];
    copy(text, b.name);
    assert(text[0] == 'c' && strlen(b.name) == 2 && b.number == 2);
    copy(b.next->name, text);
    assert(strcmp(a.name, b.name) == 0);
    u.node = &a;
    u.i = 5;
    assert(u.i == 5);
    u.node = 0;
    assert(u.c[3] == 0);
}
