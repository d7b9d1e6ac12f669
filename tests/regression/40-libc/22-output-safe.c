//EXPECT: SAFE
// Output changes nothing.
#include <assert.h>
#include <stdio.h>

int x = 1;

int main(void)
{
    printf("%d %s\n", x, "text");
    puts("text");
    putchar('c');
    fprintf(stderr, "%d\n", x);
    fflush(stdout);
    perror("rely");
    assert(x == 1);
}
