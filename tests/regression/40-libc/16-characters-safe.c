//EXPECT: SAFE
// Functions for characters.
#include <assert.h>

extern int isdigit(int), isalpha(int), isspace(int), isupper(int), isxdigit(int), ispunct(int);
extern int toupper(int), tolower(int);

int main(void)
{
    assert(isdigit('0') && isdigit('9') && !isdigit('a'));
    assert(isalpha('z') && isalpha('A') && !isalpha('_'));
    assert(isspace(' ') && isspace('\n') && !isspace('x'));
    assert(isupper('Q') && !isupper('q') && isxdigit('f') && !isxdigit('g') && ispunct('!'));
    assert(toupper('b') == 'B' && toupper('1') == '1' && tolower('B') == 'b');
}
