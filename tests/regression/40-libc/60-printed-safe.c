//EXPECT: SAFE
//REASON: writing output never fails
// The result is the number of characters, if output succeeds, and that is said.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(printf("hello\n") == 6 && printf("100%%") == 4);
    assert(fprintf(stdout, "%d", 5) >= 0 && dprintf(1, "") == 0 && putchar('c') == 'c');
    assert(fflush(stdout) == 0 && fputc('d', stdout) == 'd' && fputs("", stdout) >= 0);
}
